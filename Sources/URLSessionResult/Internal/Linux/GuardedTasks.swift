#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
    /// Makes a task with a guard: its handler is called once, whatever the server does, and credentials stay with their
    /// origin.
    ///
    /// - Parameters:
    ///   - request: The request of the caller.
    ///   - sendsBody: Whether the task is an upload of at least one byte.
    ///   - outcomeHandler: The handler of the task.
    ///   - makeTask: A function that makes the task from the request and the handler that it is given.
    /// - Returns: The task.
    func guarded<Task: URLSessionTask>(
        _ request: URLRequest, sendsBody: Bool = false, outcomeHandler: @escaping OutcomeHandler,
        _ makeTask: (URLRequest, @escaping OutcomeHandler) -> Task
    ) -> Task {
        let timedRequest = request.withWholeSeconds(sessionTimeout: configuration.timeoutIntervalForRequest)
        func makeGuardedTask(_ request: URLRequest) -> (Task, TaskGuard) {
            let taskGuard = TaskGuard(owner: self, sendsBody: sendsBody, outcomeHandler: outcomeHandler)
            let task = makeTask(request, taskGuard.taskHasCompleted)
            taskGuard.start(guarding: task, for: timedRequest)
            return (task, taskGuard)
        }
        let (task, taskGuard) = makeGuardedTask(timedRequest)
        // The cookies are checked afterwards: few tasks get one, and a search for cookies costs more than the guard.
        guard taskGuard.sendsStoredCookies, configuration.mayAddWrongCookies(to: timedRequest) else { return task }
        taskGuard.drop(task)
        let (correctedTask, _) = timedRequest.withStoredCookies(of: configuration, makeGuardedTask)
        return correctedTask
    }
}

#endif
