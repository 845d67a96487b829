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
            var waiting: [UUID: AwaitedValue<Void>] = [:]
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
            for opening in waiting { opening.give(()) }
        }

        /// Waits until the gate is open.
        ///
        /// - Throws: `CancellationError` if the task is cancelled first.
        public func opened() async throws {
            let id = UUID()
            let opening = AwaitedValue<Void>()
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting[id] = opening }
                return state.isOpen
            }
            if isOpen { return }
            guard await opening.value() == nil else { return }
            _ = state.withLock { $0.waiting.removeValue(forKey: id) }
            throw CancellationError()
        }
    }
}
