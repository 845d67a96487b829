#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// Calls the handler of a task once, and knows a better outcome than the task where the guard has decided one.
final class TaskCompletion: Sendable {
    private struct State: Sendable {
        /// Nil once it was called.
        var handler: OutcomeHandler?
        var decidedOutcome: TaskOutcome?
        var tasksToRelease: [URLSessionTask] = []
    }

    private let state: Locked<State>

    init(_ handler: @escaping OutcomeHandler) {
        state = Locked(State(handler: handler))
    }

    /// Cancels a task. Its handler gets `outcome`.
    func end(_ task: URLSessionTask, as outcome: TaskOutcome) {
        state.withLock { $0.decidedOutcome = outcome }
        task.cancel()
    }

    /// Keeps tasks until the handler is called, and cancels them then.
    func keep(_ tasks: [URLSessionTask]) {
        state.withLock { $0.tasksToRelease = tasks }
    }

    /// Whether other tasks run instead of the one that the caller has.
    var keepsTasks: Bool { state.withLock { !$0.tasksToRelease.isEmpty } }

    /// Calls the handler, unless it was called before. Removes the temporary file of a download, unless the handler
    /// moved it.
    func complete(with outcome: TaskOutcome) {
        let end = state.withLock { state in
            defer { state = State(handler: nil) }
            return state
        }
        let finalOutcome = end.decidedOutcome ?? outcome
        end.handler?(finalOutcome)
        for task in end.tasksToRelease { task.cancel() }
        if let file = finalOutcome.file { try? FileManager.default.removeItem(at: file) }
    }
}

#endif
