#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Something that is read once, to its end: a pipe, or a file whose length is not known before.
///
/// When reading is stopped, what is still in the pipe is for the next reader. So nobody here may go on reading, or keep the pipe
/// open: its writer would believe that somebody reads.
final class UploadedPipe: Sendable {
    private enum State: Sendable {
        case waiting
        case reading(FileReader)
        case over
    }

    private let url: URL

    /// Guards whether somebody reads.
    ///
    /// 1. A thread is about to read the pipe, and has made its `FileReader`.
    /// 2. The caller cancels: `stop()`. Nobody reads, so there is nothing to close.
    /// 3. The thread begins. It finds that it is over, and does not open the pipe: a writer would believe that somebody reads.
    private let state = Locked(State.waiting)
    private let reading = DispatchGroup()

    init(_ url: URL) { self.url = url }

    /// Ends reading, because nobody needs the bytes any more. Waits for nobody.
    func stop() {
        let former = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .reading(let reader) = former { reader.stop() }
    }

    /// Waits until the pipe is closed, which is an instant after `stop()`. Not for the event loop.
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
        defer {
            stop()
            reading.leave()
        }
        let reader = try begin()
        var contents = Data()
        try reader.read(url, waitingUpTo: seconds) { contents.append($0) }
        return contents
    }

    private func begin() throws -> FileReader {
        let reader: FileReader
        do { reader = try FileReader() } catch { throw error.reading(url) }
        try state.withLock { state in
            guard case .waiting = state else { throw URLError(.cancelled) }
            state = .reading(reader)
        }
        return reader
    }
}

#endif
