#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
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
        let isReplaced = reportsProgress && configuration.loadsOverHTTP(request)
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
}

#endif
