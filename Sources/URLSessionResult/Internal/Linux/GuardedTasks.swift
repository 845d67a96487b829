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
    ///   - makeTask: A function that makes the task from a request, and gives its outcome to the guard.
    /// - Returns: The task.
    func guarded<Task: URLSessionTask>(
        _ request: URLRequest, sendsBody: Bool = false, outcomeHandler: @escaping OutcomeHandler,
        _ makeTask: (URLRequest, TaskGuard) -> Task
    ) -> Task {
        let configuration = configuration
        let timedRequest = request.withWholeSeconds(sessionTimeout: configuration.timeoutIntervalForRequest)
        func makeGuardedTask(_ request: URLRequest) -> (Task, TaskGuard) {
            let taskGuard = TaskGuard(
                owner: self, configuration: configuration, request: timedRequest, sendsBody: sendsBody,
                outcomeHandler: outcomeHandler)
            let task = makeTask(request, taskGuard)
            taskGuard.start(guarding: task)
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
