import Foundation

/// A value behind a lock that threads and tasks can wait on, so that no test has to sleep.
final class Monitor<Value: Sendable>: @unchecked Sendable {
    // Unchecked because the compiler cannot see that `condition` guards every access to the two variables.
    private let condition = NSCondition()
    private var storage: Value
    private var waiters: [Waiter] = []

    private struct Waiter {
        let id: UUID
        let isSatisfied: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    init(_ value: Value) {
        storage = value
    }

    var value: Value { withLock { $0 } }

    /// Reads or changes the value, then wakes whoever waits for what it has become.
    @discardableResult
    func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        condition.lock()
        defer { condition.unlock() }
        let result = try body(&storage)
        condition.broadcast()
        resumeSatisfied()
        return result
    }

    /// Blocks the calling thread until the value satisfies the predicate.
    func wait(until isSatisfied: (Value) -> Bool) {
        condition.lock()
        defer { condition.unlock() }
        while !isSatisfied(storage) { condition.wait() }
    }

    /// Suspends the calling task until the value satisfies the predicate, and returns the value of that moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, which is how a test's time limit ends the wait.
    @discardableResult
    func value(where isSatisfied: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let id = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enrol(Waiter(id: id, isSatisfied: isSatisfied, continuation: continuation))
            }
        } onCancel: {
            dismiss(id)
        }
    }

    private func enrol(_ waiter: Waiter) {
        condition.lock()
        defer { condition.unlock() }
        if Task.isCancelled {
            waiter.continuation.resume(throwing: CancellationError())
        } else {
            waiters.append(waiter)
            resumeSatisfied()
        }
    }

    private func dismiss(_ id: UUID) {
        condition.lock()
        defer { condition.unlock() }
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    private func resumeSatisfied() {
        guard !waiters.isEmpty else { return }
        let value = storage
        for waiter in waiters where waiter.isSatisfied(value) {
            waiter.continuation.resume(returning: value)
        }
        waiters.removeAll { $0.isSatisfied(value) }
    }
}

/// A door that stays shut until somebody opens it.
struct Gate: Sendable {
    private let monitor = Monitor(false)

    func open() {
        monitor.withLock { $0 = true }
    }

    /// Blocks the calling thread until the gate is open.
    func wait() {
        monitor.wait { $0 }
    }

    /// Suspends the calling task until the gate is open.
    func opened() async throws {
        try await monitor.value { $0 }
    }
}
