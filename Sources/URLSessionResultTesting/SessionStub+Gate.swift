import Foundation
internal import URLSessionResultTransport

extension SessionStub {
    /// Holds an answer back until the test opens it.
    ///
    /// ```swift
    /// let gate = SessionStub.Gate()
    /// let stub = SessionStub { _ in
    ///     try await gate.opened()
    ///     return .json("[]")
    /// }
    /// ```
    public final class Gate: Sendable {
        private struct State: Sendable {
            var isOpen = false
            var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
        }

        private let state = Locked(State())

        /// Creates a gate, which is closed.
        public init() {}

        /// Lets everyone pass, now and later.
        public func open() {
            let waiting = state.withLock { state in
                defer { state = State(isOpen: true) }
                return state.waiting.values
            }
            for continuation in waiting { continuation.resume() }
        }

        /// Waits until the gate is open.
        ///
        /// - Throws: `CancellationError` if the task is cancelled first.
        public func opened() async throws {
            let id = UUID()
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let outcome: Result<Void, any Error>? = state.withLock { state in
                        if state.isOpen { return .success(()) }
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiting[id] = continuation
                        return nil
                    }
                    if let outcome { continuation.resume(with: outcome) }
                }
            } onCancel: {
                let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
                continuation?.resume(throwing: CancellationError())
            }
        }
    }
}
