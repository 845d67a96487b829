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
            let task = makeTask(request, taskGuard.finish)
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

    /// Makes a task that sends data.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - body: The data to send. A task copies it.
    ///   - reportsProgress: Whether another task is going to send the data (`reporting(_:to:)`).
    ///   - outcomeHandler: The handler of the task.
    /// - Returns: The task.
    func makeUploadTask(
        for request: URLRequest, from body: Data?, reportsProgress: Bool = false,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        // FoundationNetworking crashes if the body is nil.
        let body = body ?? Data()
        let isReplaced = reportsProgress && usesFoundationProtocol(for: request)
        let task = guarded(request, sendsBody: !body.isEmpty, outcomeHandler: outcomeHandler) { request, end in
            uploadTask(with: request, from: isReplaced ? Data() : body) { data, response, error in
                end(TaskOutcome(data: data, response: response, error: error))
            }
        }
        if isReplaced, let taskGuard = task.delegate as? TaskGuard { taskGuard.keepBodyOfReplacement(body) }
        return task
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    ///
    /// FoundationNetworking reads a file while it sends it, and crashes if the transfer ends before it has read the file,
    /// for example after a cancellation (`_BodyFileSource`). So the task is given the bytes. They are read and not mapped,
    /// because reading a mapping of a file that has become shorter ends the process.
    func makeUploadTask(
        for request: URLRequest, fromFile file: URL, reportsProgress: Bool = false,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            let body = try file.read()
            return makeUploadTask(
                for: request, from: body, reportsProgress: reportsProgress, outcomeHandler: outcomeHandler)
        } catch {
            return makeFailingTask(with: error, outcomeHandler: outcomeHandler) { request, handler in
                makeUploadTask(for: request, from: nil, outcomeHandler: handler)
            }
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeUploadTask(for: request, from: nil, outcomeHandler: handler)
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may crash if it is asked to.
    func makeDownloadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeDownloadTask(for: request, outcomeHandler: handler)
        }
    }
}

#endif
