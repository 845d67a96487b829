#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// What to do about a redirect, once the session's delegate has decided.
enum RedirectDecision {
    case taskIsOver
    case complete(TaskOutcome)

    /// Send this request with a new task.
    case follow(URLRequest)

    /// Answer with this request, or with nil to stop here.
    case answer(URLRequest?)

    /// - Parameters:
    ///   - request: The request that the session's delegate wants to send, or nil to stop here.
    ///   - response: The response that redirects.
    ///   - task: The task that is redirected.
    ///   - sendsBody: Whether the task is an upload of at least one byte.
    ///   - hasAnsweredChallenge: Whether the task has sent a credential.
    ///   - configuration: The configuration of the session.
    init(
        about request: URLRequest?, after response: HTTPURLResponse, of task: URLSessionTask, sendsBody: Bool,
        hasAnsweredChallenge: Bool, configuration: URLSessionConfiguration
    ) {
        let redirect = TaskOutcome(data: Data(), response: response)
        if task.response === response {
            // The timeout fired while the delegate decided. FoundationNetworking leaves such a task with the response of
            // the redirect and never calls its handler. An answer would crash.
            self = .complete(TaskOutcome(error: URLError(.timedOut)))
        } else if request == nil, task is URLSessionDownloadTask {
            // FoundationNetworking delivers the body of a redirect that is not followed as that of a data task.
            self = .complete(redirect)
        } else if request != nil, hasAnsweredChallenge {
            // FoundationNetworking would send the answered request again and again, and never the redirected one.
            self = .complete(redirect)
        } else if let request, request.wouldLoseBody(sendsBody: sendsBody) {
            // FoundationNetworking would send an empty body (`_HTTPURLProtocol.didCompleteRedirectCallback`), and so
            // replace a resource with nothing.
            self = .complete(redirect)
        } else if !task.isUnderWay {
            self = .taskIsOver
        } else if let request, response.mayShareConnection, configuration.loadsOverHTTP(request) {
            self = .follow(request)
        } else {
            self = .answer(request)
        }
    }
}

extension HTTPURLResponse {
    /// Whether other responses may come over the same connection at the same time, as over HTTP/2. URLSession speaks it
    /// only over TLS.
    fileprivate var mayShareConnection: Bool { url?.scheme == "https" }
}

extension URLRequest {
    /// Whether the request after a redirect repeats one that had a body.
    fileprivate func wouldLoseBody(sendsBody: Bool) -> Bool {
        guard httpMethod != "GET", httpMethod != "HEAD" else { return false }
        let hasBodyOfItsOwn = !(httpBody ?? Data()).isEmpty || httpBodyStream != nil
        return sendsBody || hasBodyOfItsOwn
    }
}

#endif
