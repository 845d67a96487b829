#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
    /// Makes a task that hands its response on while it arrives.
    ///
    /// FoundationNetworking tells only the delegate of a session about bytes that arrive. So the task runs in an
    /// `InnerSession`. A second task, which is never resumed, ties it to the caller's session: invalidating that session
    /// cancels both tasks or waits for both.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - response: The response to hand on.
    /// - Returns: The task to resume.
    func makeStreamTask(for request: URLRequest, response: StreamedResponse) -> URLSessionTask {
        let task = makeDataTask(for: request) { outcome in
            response.complete(with: outcome)
        }
        guard let taskGuard = task.delegate as? TaskGuard, let request = task.originalRequest else { return task }
        let replacement = taskGuard.makeStreamTask(with: request, response: response, decidingOn: delegateQueue)
        taskGuard.completion.replace(task, by: replacement)
        return replacement
    }
}

extension TaskGuard {
    /// Makes a task in an `InnerSession` that hands its response on.
    fileprivate func makeStreamTask(
        with request: URLRequest, response: StreamedResponse, decidingOn decisionQueue: OperationQueue
    ) -> URLSessionTask {
        let innerSession = InnerSession.beginTransfer(of: owner, for: .streams)
        let task = request.withStoredCookies(of: configuration) { request in
            innerSession.session.dataTask(with: request)
        }
        task.delegate = StreamTransfer(of: response, guardedBy: self, decidingOn: decisionQueue, in: innerSession)
        return task
    }
}

/// The delegate of one task, whose response it hands on.
final class StreamTransfer: NSObject, GuardedTransfer, Sendable {
    private let response: StreamedResponse
    let taskGuard: TaskGuard

    /// The delegate queue of the caller's session, on which its delegate is asked.
    private let decisionQueue: OperationQueue
    private let innerSession: InnerSession

    init(
        of response: StreamedResponse, guardedBy taskGuard: TaskGuard, decidingOn decisionQueue: OperationQueue,
        in innerSession: InnerSession
    ) {
        self.response = response
        self.taskGuard = taskGuard
        self.decisionQueue = decisionQueue
        self.innerSession = innerSession
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // The body may last for hours, and other requests of the session have the cookies meanwhile.
        taskGuard.storeCookies(of: head)
        // FoundationNetworking does not wait for an answer.
        response.receive(head, of: dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        response.receive(data, of: dataTask)
    }

    func takeEnd(of task: URLSessionTask, with error: (any Error)?) {
        task.waitForLateCancellation()
        innerSession.transferHasEnded()
        guard !taskGuard.completion.hasReplaced(task) else { return }
        // FoundationNetworking does not announce the head of a redirect without a target.
        taskGuard.finish(with: TaskOutcome(data: Data(), response: task.response, error: error))
    }

    /// Makes a task for the request after a redirect.
    func makeTask(following task: URLSessionTask, with request: URLRequest) -> URLSessionTask {
        taskGuard.makeStreamTask(with: request, response: response, decidingOn: decisionQueue)
    }

    // MARK: Decisions of the guard

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        response.taskIsChallenged()
        decisionQueue.addOperation { [taskGuard, response] in
            if response.isStreaming {
                // The caller accepts a 401 and has read it.
                taskGuard.completion.end(task, as: TaskOutcome(data: Data(), response: challenge.failureResponse))
            } else {
                taskGuard.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection redirect: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        response.taskIsRedirected()
        decisionQueue.addOperation { [taskGuard] in
            taskGuard.urlSession(
                session, task: task, willPerformHTTPRedirection: redirect, newRequest: newRequest,
                completionHandler: completionHandler)
        }
    }
}

#endif
