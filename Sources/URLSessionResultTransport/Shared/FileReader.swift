import Foundation

/// Reads files and pipes on a thread of its own, until it is stopped: a disk may be slow, and the writer of a pipe late.
package final class FileReader: Sendable {
    /// How many bytes are read at once.
    private static let pieceSize = 1 << 20

    /// Both ends of a pipe. The first is at its end as soon as the second is closed, and what waits for a file waits for it, too.
    private let (stopped, stopper): (FileHandle, FileHandle)

    private init() throws(POSIXError) { (stopped, stopper) = try SystemCalls.makePipe() }

    /// Calls a function on a new thread, because the few threads of Swift tasks are for others, and awaits its end. Cancelling the Swift
    /// task stops what it reads.
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
            try? reader.stopper.close()
        }
    }

    /// Throws if reading was stopped.
    package func check() throws {
        guard try SystemCalls.awaitBytes(of: [stopped], until: .now()) == nil else { throw URLError(.cancelled) }
    }

    /// Reads a file to its end, or a pipe until its writers have closed it.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - take: A function that takes the next piece, at most 1 MiB.
    /// - Throws: A `CocoaError`, `URLError.cancelled` if reading was stopped, or the error of the function.
    package func read(_ url: URL, _ take: (Data) throws -> Void) throws {
        guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
        let file = try reading(url) { () throws(POSIXError) in try SystemCalls.openFile(at: url.path) }
        while let piece = try reading(url, { () throws(POSIXError) in try nextPiece(of: file) }) {
            try check()
            if piece.isEmpty { return }
            try take(piece)
        }
        throw URLError(.cancelled)
    }

    /// Waits for the next bytes. There are none at the end, and the piece is nil if reading was stopped.
    private func nextPiece(of file: FileHandle) throws(POSIXError) -> Data? {
        while try SystemCalls.awaitBytes(of: [stopped, file]) === file {
            do {
                return try file.nextBytes(upTo: Self.pieceSize)
            } catch  where error.code == .EAGAIN {
                // Somebody else has read what the pipe had.
            }
        }
        return nil
    }

    private func reading<T>(_ url: URL, _ body: () throws(POSIXError) -> T) throws(CocoaError) -> T {
        do { return try body() } catch { throw error.reading(url) }
    }
}
