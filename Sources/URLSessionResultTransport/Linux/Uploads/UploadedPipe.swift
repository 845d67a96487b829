#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Something that is read once, to its end: a pipe, or a file whose length is not known before.
///
/// What is in the pipe when reading is stopped is for the next reader. So nobody may be left behind who reads, or who makes a
/// writer believe that somebody does.
final class UploadedPipe: Sendable {
    private enum State: Sendable {
        case waiting

        /// A thread reads. It stops when the end of a pipe is closed that it waits for, too.
        case reading(stop: FileHandle)
        case stopped
    }

    private let url: URL

    /// Guards whether somebody reads.
    ///
    /// 1. A thread is to read the pipe, and has made what stops it.
    /// 2. The caller cancels: `stop()`. Nobody reads, so there is nothing to close.
    /// 3. The thread begins. It finds `stopped`, and does not open the pipe: a writer would believe that somebody reads.
    private let state = Locked(State.waiting)
    private let reading = DispatchGroup()

    /// How many bytes are read at once: a pipe has room for as many.
    private static let pieceSize = 64 * 1024

    init(_ url: URL) { self.url = url }

    /// Ends reading, because nobody needs the bytes any more. Waits for nobody.
    func stop() {
        let former = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        if case .reading(let stop) = former { stop.closeFile() }
    }

    /// Waits until the pipe is closed, which is an instant after `stop()`. Not for the work queue.
    func waitUntilClosed() { reading.wait() }

    /// Calls a function on another queue when the pipe is closed.
    func afterClosing(_ work: @escaping @Sendable () -> Void) {
        reading.notify(queue: .global(), execute: work)
    }

    /// Waits for a writer, and reads what it writes.
    ///
    /// - Parameter seconds: How long to wait for a writer, and for each piece.
    /// - Returns: What was written.
    /// - Throws: A `CocoaError`, `URLError.timedOut`, or `URLError.cancelled` if reading was stopped.
    func contents(waitingUpTo seconds: TimeInterval) throws -> Data {
        reading.enter()
        defer { reading.leave() }
        do {
            return try read(waitingUpTo: seconds)
        } catch let error as POSIXError {
            throw error.reading(url)
        }
    }

    private func read(waitingUpTo seconds: TimeInterval) throws -> Data {
        let stop = try SystemCalls.makePipe()
        guard begin(stop: stop.writeEnd) else { throw URLError(.cancelled) }
        let pipe = try SystemCalls.openFile(at: url.path)
        var contents = Data()
        while true {
            let ready = try SystemCalls.awaitBytes(of: [stop.readEnd, pipe], until: .now() + seconds)
            guard let ready else { throw URLError(.timedOut) }
            guard ready === pipe else { throw URLError(.cancelled) }
            guard let piece = try nextPiece(of: pipe) else { continue }
            if piece.isEmpty { return contents }
            contents.append(piece)
        }
    }

    /// The next bytes. There are none at the end, and the piece is nil if somebody else has read what the pipe had.
    private func nextPiece(of pipe: FileHandle) throws(POSIXError) -> Data? {
        do {
            return try pipe.nextBytes(upTo: Self.pieceSize)
        } catch {
            guard error.code == .EAGAIN else { throw error }
            return nil
        }
    }

    /// - Returns: Whether reading was not stopped before.
    private func begin(stop: FileHandle) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .reading(stop: stop)
            return true
        }
    }
}

#endif
