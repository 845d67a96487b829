#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Synchronization

/// Calls the handler of a task once, and knows a better outcome than the task where the guard has decided one.
///
/// A part of the guard, and no object of its own, because every request has one.
struct TaskCompletion: ~Copyable, Sendable {
    struct State: Sendable {
        /// Nil once it was called.
        var handler: OutcomeHandler?
        var decidedOutcome: TaskOutcome?
        var replacement: Replacement?
    }

    /// The task that the caller asked for, and the task that runs instead.
    struct Replacement: Sendable {
        let callersTask: URLSessionTask
        let runningTask: URLSessionTask
    }

    private let state: Mutex<State>

    init(_ handler: @escaping OutcomeHandler) {
        state = Mutex(State(handler: handler))
    }

    /// Cancels a task. Its handler gets `outcome`.
    func end(_ task: URLSessionTask, as outcome: TaskOutcome) {
        state.withLock { $0.decidedOutcome = outcome }
        task.cancel()
    }

    /// Lets the task end without a call of its handler.
    func forgetHandler() {
        state.withLock { $0.handler = nil }
    }

    /// Lets another task run instead of the caller's, or instead of the one that did so far. The caller's task and the
    /// running one are cancelled when the handler has been called.
    func replace(_ task: URLSessionTask, by runningTask: URLSessionTask) {
        let callersTask = state.withLock { state -> URLSessionTask? in
            guard state.handler != nil else { return nil }
            let callersTask = state.replacement?.callersTask ?? task
            state.replacement = Replacement(callersTask: callersTask, runningTask: runningTask)
            return callersTask
        }
        // The caller's task may have been cancelled in the meantime.
        if callersTask?.isUnderWay != true { runningTask.cancel() }
    }

    /// The caller's task and the one that runs instead, or nil while the caller's task runs and when it is over.
    var replacement: Replacement? { state.withLock { $0.replacement } }

    /// The task to tell a delegate of the caller about. The number of another task may be taken in the caller's session.
    func callersTask(for task: URLSessionTask) -> URLSessionTask {
        replacement?.callersTask ?? task
    }

    /// Whether another task runs instead of the task.
    func hasReplaced(_ task: URLSessionTask) -> Bool {
        guard let replacement else { return false }
        return replacement.runningTask !== task
    }

    /// Calls the handler, unless it was called before. Removes the temporary file of a download, unless the handler
    /// moved it.
    func complete(with outcome: TaskOutcome) {
        let end = state.withLock { state in
            defer { state = State(handler: nil) }
            return state
        }
        if let decidedOutcome = end.decidedOutcome {
            end.handler?(decidedOutcome)
        } else {
            end.handler?(outcome)
        }
        end.replacement?.callersTask.cancel()
        end.replacement?.runningTask.cancel()
        if let file = outcome.file { try? FileManager.default.removeItem(at: file) }
    }
}

#endif
