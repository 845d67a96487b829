import Foundation

/// Lets a number of tasks run at once. The others wait, and go on in the order in which they came.
///
/// In a module that no target of tests has a copy of: what is static is there once.
package struct Turns: Sendable {
    /// Shared by all suites.
    package static let shared = Turns(atOnce: 12)

    let state: Monitor<State>

    struct State {
        fileprivate let limit: Int
        fileprivate(set) var running = 0
        fileprivate(set) var waiting: [Waiter] = []
    }

    struct Waiter {
        fileprivate let id: UUID
        fileprivate let continuation: CheckedContinuation<Void, any Error>
    }

    init(atOnce count: Int) {
        state = Monitor(State(limit: count))
    }

    /// Runs the body when it is its turn. The turn ends with the body, whether it returns or throws.
    ///
    /// - Throws: What the body throws, and `CancellationError` when the task is cancelled while it waits.
    package func run(_ body: () async throws -> Void) async throws {
        try await begin()
        defer { end() }
        try await body()
    }

    private func begin() async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enrol(Waiter(id: id, continuation: $0)) }
        } onCancel: {
            dismiss(id)
        }
    }

    private func enrol(_ waiter: Waiter) {
        state.withLock { state in
            if Task.isCancelled {
                waiter.continuation.resume(throwing: CancellationError())
            } else {
                state.waiting.append(waiter)
                state.resumeNext()
            }
        }
    }

    private func dismiss(_ id: UUID) {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return }
            state.waiting.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }

    private func end() {
        state.withLock { state in
            state.running -= 1
            state.resumeNext()
        }
    }
}

extension Turns.State {
    fileprivate mutating func resumeNext() {
        guard running < limit, !waiting.isEmpty else { return }
        running += 1
        waiting.removeFirst().continuation.resume()
    }
}
