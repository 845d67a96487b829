import Foundation

/// Reads files and pipes until it is stopped: a disk may be slow, and the writer of a pipe late.
package final class FileReader: Sendable {
    /// How many bytes are read at once.
    private static let pieceSize = 1 << 20

    /// Both ends of a pipe. When `stopper` is closed, `stopped` is at its end. Each wait for a file also waits for `stopped`, so it
    /// ends then.
    private let (stopped, stopper): (FileHandle, FileHandle)

    init() throws(POSIXError) { (stopped, stopper) = try SystemCalls.makePipe() }

    /// Calls a function on a new thread, and awaits its end: the function may wait, and the few threads of Swift tasks are for
    /// others. Cancelling the Swift task stops what it reads.
    ///
    /// - Throws: The error of the function: `URLError.cancelled`, if it was stopped.
    package static func onThread<T: Sendable>(
        _ body: @escaping @Sendable (FileReader) throws -> T
    ) async throws -> T {
        let reader = try FileReader()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try body(reader) }) }
            }
        } onCancel: {
            reader.stop()
        }
    }

    /// Ends reading. Waits for nobody.
    func stop() { try? stopper.close() }

    /// Throws if reading was stopped.
    package func check() throws {
        guard try SystemCalls.awaitBytes(of: [stopped], until: .now()) == nil else { throw URLError(.cancelled) }
    }

    /// Reads a file to its end, or a pipe until its writers have closed it. The file is closed when this returns.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - seconds: How long to wait for a writer, and for each piece.
    ///   - take: A function that takes the next piece, at most 1 MiB.
    /// - Throws: A `CocoaError`, `URLError.timedOut`, `URLError.cancelled` if reading was stopped, or the error of the function.
    package func read(
        _ url: URL, waitingUpTo seconds: TimeInterval = .infinity, _ take: (Data) throws -> Void
    ) throws {
        guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
        let file = try reading(url) { try SystemCalls.openFile(at: url.path) }
        // A writer of a pipe waits for this end, so it is closed now, and not when the handle is released.
        defer { try? file.close() }
        while true {
            let piece = try reading(url) { try nextPiece(of: file, waitingUpTo: seconds) }
            if piece.isEmpty { return }
            try take(piece)
        }
    }

    /// Waits for the next bytes. There are none at the end.
    private func nextPiece(of file: FileHandle, waitingUpTo seconds: TimeInterval) throws -> Data {
        while true {
            let ready = try SystemCalls.awaitBytes(of: [stopped, file], until: .now() + seconds)
            guard let ready else { throw URLError(.timedOut) }
            guard ready === file else { throw URLError(.cancelled) }
            do {
                return try file.nextBytes(upTo: Self.pieceSize)
            } catch  where error.code == .EAGAIN {
                // Another reader has taken the bytes of the pipe. So this waits again.
            }
        }
    }

    private func reading<T>(_ url: URL, _ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as POSIXError { throw error.reading(url) }
    }
}
