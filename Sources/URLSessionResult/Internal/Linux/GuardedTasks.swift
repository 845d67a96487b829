#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
    /// Makes a task with a guard: its handler is called once, whatever the server does, and credentials stay with their
    /// origin.
    ///
    /// - Parameters:
    ///   - request: The request of the caller.
    ///   - body: The body that an upload sends.
    ///   - outcomeHandler: The handler of the task.
    ///   - makeTask: A function that makes the task from the request and the handler that it is given.
    /// - Returns: The task.
    func guarded<Task: URLSessionTask>(
        _ request: URLRequest, sending body: Data = Data(), outcomeHandler: @escaping OutcomeHandler,
        _ makeTask: (URLRequest, @escaping OutcomeHandler) -> Task
    ) -> Task {
        let taskGuard = TaskGuard(owner: self, uploadBody: body, outcomeHandler: outcomeHandler)
        let guardedTask = Locked<Task?>(nil)
        let timedRequest = request.withWholeSeconds(sessionTimeout: configuration.timeoutIntervalForRequest)
        let task = timedRequest.withStoredCookies(of: configuration) { request in
            makeTask(request) { outcome in
                guardedTask.withLock { $0 }?.waitForLateCancellation()
                taskGuard.finish(with: outcome)
            }
        }
        guardedTask.withLock { $0 = task }
        taskGuard.start(guarding: task, for: request)
        return task
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    ///
    /// FoundationNetworking reads a file while it sends it, and crashes if the transfer ends before it has read the file,
    /// for example after a cancellation (`_BodyFileSource`). So the task is given the bytes.
    func makeUploadTask(
        for request: URLRequest, fromFile file: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            return makeUploadTask(for: request, from: try file.mapped(), outcomeHandler: outcomeHandler)
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
