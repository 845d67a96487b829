import Foundation

#if canImport(Darwin)
package typealias BodyBuffer = SuspendingBodyBuffer

extension URLSessionTask: Suspendable {}
#endif

#if canImport(Darwin) || DEBUG  // A test runs it on Linux, too.

/// What produces no bytes while it is suspended.
package protocol Suspendable: Sendable {
    func suspend()
    func resume()
}

/// What of a body has arrived and has not been read. A task that is far ahead of its reader is suspended: it then "produces no network
/// traffic", and `resume()` is said "to resume data transfer" (https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()).
/// Earlier editions of that page let all tasks but downloads start over: see docs/AppleAssumptions.md.
package struct SuspendingBodyBuffer: Sendable {
    /// A function that gives bytes. On Linux, it may read a file.
    package typealias Bytes = @Sendable () throws -> Data

    /// How many bytes may wait until the task is suspended.
    private static let limit = 1024 * 1024

    private let task: (any Suspendable)?

    /// Suspends and resumes the task, in their order. Both may run code of the caller's, such as an observer of `state`, and whoever
    /// changes the buffer holds a lock.
    private let queue: DispatchQueue
    private var memory = Data()
    private var isSuspended = false

    package init(of task: (any Suspendable)?, on queue: DispatchQueue = DispatchQueue(label: "SuspendingBodyBuffer")) {
        self.task = task
        self.queue = queue
    }

    /// Never throws. On Linux, what does not fit into memory is written to a file.
    package mutating func append(_ data: Data) throws {
        memory.append(data)
        guard memory.count >= Self.limit, !isSuspended else { return }
        isSuspended = true
        queue.async { [task] in task?.suspend() }
    }

    /// Takes the first bytes, as many as are at hand, or returns `nil` when there are none.
    package mutating func take() -> Bytes? {
        guard !memory.isEmpty else { return nil }
        let memory = removeAll().memory
        return { memory }
    }

    /// Drops everything.
    ///
    /// - Returns: What there was.
    package mutating func removeAll() -> SuspendingBodyBuffer {
        defer { memory = Data() }
        let former = self
        guard isSuspended else { return former }
        isSuspended = false
        queue.async { [task] in task?.resume() }
        return former
    }
}

#endif
