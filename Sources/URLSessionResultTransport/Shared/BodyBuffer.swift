import Foundation

/// A task that can be kept from receiving more.
package protocol ReceivingTask: Sendable {
    func pauseReceiving()
    func resumeReceiving()
}

#if canImport(Darwin)

extension URLSessionTask: ReceivingTask {
    package func pauseReceiving() { suspend() }
    package func resumeReceiving() { resume() }
}

#else

extension URLSessionTask: ReceivingTask {
    package func pauseReceiving() { (self as? any TransferTask)?.transfer.setReceivingPaused(true) }
    package func resumeReceiving() { (self as? any TransferTask)?.transfer.setReceivingPaused(false) }
}

#endif

/// What of a body has arrived and has not been read. A task that is far ahead of its reader is paused. On Linux,
/// libcurl reads no more of its connection. Elsewhere, it is suspended: it then "produces no network
/// traffic", and `resume()` is said "to resume data transfer" (https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()).
/// Earlier editions of that page let all tasks but downloads start over: see docs/AppleAssumptions.md.
package struct BodyBuffer: Sendable {
    /// How many bytes may wait until the task is paused.
    private static let limit = 1024 * 1024

    private let task: (any ReceivingTask)?

    /// Pauses the task and lets it go on, in their order. Both may run code of the caller's, such as an observer of `state`, and whoever
    /// changes the buffer holds a lock.
    private let queue: DispatchQueue
    private var memory = Data()
    private var isPaused = false

    package init(of task: (any ReceivingTask)?, on queue: DispatchQueue = DispatchQueue(label: "BodyBuffer")) {
        self.task = task
        self.queue = queue
    }

    package mutating func append(_ data: Data) {
        memory.append(data)
        guard memory.count >= Self.limit, !isPaused else { return }
        isPaused = true
        queue.async { [task] in task?.pauseReceiving() }
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
        queue.async { [task] in task?.resumeReceiving() }
        return former
    }
}
