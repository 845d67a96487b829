import Foundation

extension URLSessionTask {
    /// Makes a function that keeps the task from receiving more, if it is given true, or lets it go on.
    ///
    /// It returns at once and calls nothing of the caller's, so that it may be called with a lock held. Its calls take effect in their order.
    package var receivingPause: @Sendable (Bool) -> Void {
        #if canImport(Darwin)
        // Both call the observers of `state`, which are the caller's. So they are called on a queue, without the lock.
        let queue = DispatchQueue(label: "BodyBuffer")
        return { isPaused in queue.async { isPaused ? self.suspend() : self.resume() } }
        #else
        // It is not called on a queue, because all threads may be busy with what has arrived already.
        guard let transfer = (self as? any TransferTask)?.transfer else { return { _ in } }
        return { transfer.setReceivingPaused($0) }
        #endif
    }
}

/// The bytes of a body that have arrived and were not read. A task that is far ahead of its reader is paused. On Linux, libcurl
/// reads no more of its connection. Elsewhere, the task is suspended: it then "produces no network traffic", and `resume()` is said
/// "to resume data transfer" (https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()). Earlier editions of
/// that page let all tasks but downloads start over: see docs/AppleAssumptions.md.
package struct BodyBuffer: Sendable {
    /// How many bytes may wait until the task is paused.
    private static let limit = 1024 * 1024

    private let pauseReceiving: @Sendable (Bool) -> Void
    private var memory = Data()
    private var isPaused = false

    /// - Parameter pauseReceiving: A function that keeps a task from receiving more, if it is given true, or lets it go on. Whoever
    ///   changes the buffer may hold a lock.
    package init(pausingBy pauseReceiving: @escaping @Sendable (Bool) -> Void) {
        self.pauseReceiving = pauseReceiving
    }

    package mutating func append(_ data: Data) {
        memory.append(data)
        guard memory.count >= Self.limit, !isPaused else { return }
        isPaused = true
        pauseReceiving(true)
    }

    /// Takes all bytes, or returns `nil` when there are none.
    package mutating func take() -> Data? { memory.isEmpty ? nil : removeAll().memory }

    /// Drops everything.
    ///
    /// - Returns: What there was.
    package mutating func removeAll() -> BodyBuffer {
        defer { memory = Data() }
        let former = self
        guard isPaused else { return former }
        isPaused = false
        pauseReceiving(false)
        return former
    }
}
