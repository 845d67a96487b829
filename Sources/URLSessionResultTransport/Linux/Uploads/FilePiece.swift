#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Bytes of a file that are read on a thread of their own. The work queue may wait for them, and all threads of the queues may wait for
/// the work queue.
final class FilePiece: Sendable {
    /// Reads a range of the file.
    typealias Reading = @Sendable (Range<Int>) throws -> Data

    static let size = 512 * 1024

    private let read: Reading
    private let length: Int
    private let range: Range<Int>

    /// Whether somebody reads, or has read. The lock decides who does:
    ///
    /// 1. A thread is made for the piece. It may never run.
    /// 2. The work queue needs the bytes, and reads them itself.
    /// 3. The thread runs, finds that somebody has begun, and ends.
    private let hasBegun = Locked(false)

    /// Written once, before the group is left, and read after that.
    private let result = Locked<Result<Data, any Error>>(.success(Data()))

    /// What is called when the bytes are there. Nil after that. The lock decides who calls a function that comes at that moment: the
    /// reader takes all that it finds, and who finds `nil` calls it at once.
    private let observers = Locked<[@Sendable () -> Void]?>([])
    private let reading = DispatchGroup()

    /// Begins to read. Nil at the end of the file.
    init?(of read: @escaping Reading, length: Int, from position: Int) {
        guard position < length else { return nil }
        self.read = read
        self.length = length
        range = position..<min(position + Self.size, length)
        reading.enter()
        Thread.detachNewThread { self.readOnce() }
    }

    /// A group must not be released before all have left it.
    deinit { if hasBegun.setOnce() { reading.leave() } }

    /// The piece behind it, which begins to be read. Nil at the end of the file.
    var next: FilePiece? { FilePiece(of: read, length: length, from: range.upperBound) }

    /// Waits until the bytes are there, but no longer than a time.
    func isRead(within time: DispatchTimeInterval) -> Bool {
        reading.wait(timeout: .now() + time) == .success
    }

    /// Calls a function when the bytes are there, on the thread that has read them or at once.
    ///
    /// - Returns: Whether a thread reads, or has read. If not, the function may never be called.
    func whenRead(_ observer: @escaping @Sendable () -> Void) -> Bool {
        guard hasBegun.withLock({ $0 }) else { return false }
        let isRead = observers.withLock { observers in
            observers?.append(observer)
            return observers == nil
        }
        if isRead { observer() }
        return true
    }

    /// Waits for the bytes. Reads them itself if the thread does not run: where the system has no thread left, nothing says so.
    func bytes() throws -> Data {
        readOnce()
        reading.wait()
        return try result.withLock { $0 }.get()
    }

    private func readOnce() {
        guard hasBegun.setOnce() else { return }
        let bytes = Result { try read(range) }
        result.withLock { $0 = bytes }
        reading.leave()
        for observer in observers.withLock({ $0.take() }) ?? [] { observer() }
    }
}

#endif
