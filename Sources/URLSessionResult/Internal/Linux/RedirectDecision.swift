#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// What to do about a redirect, once the session's delegate has decided.
///
/// FoundationNetworking waits for an answer, and never gets one: it crashes if the timeout fires before it reads the answer
/// (`_HTTPURLProtocol.didCompleteRedirectCallback`), and nothing shows from outside that the timeout is about to fire.
enum RedirectDecision {
    case taskIsOver
    case complete(TaskOutcome)

    /// Send this request with a new task.
    case follow(URLRequest)

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
            // the redirect and never calls its handler.
            self = .complete(TaskOutcome(error: URLError(.timedOut)))
        } else if !task.isUnderWay {
            self = .taskIsOver
        } else if let request, !hasAnsweredChallenge, !request.wouldLoseBody(sendsBody: sendsBody) {
            self.init(toSend: request, insteadOf: task, configuration: configuration)
        } else {
            self = .complete(redirect)
        }
    }

    private init(toSend request: URLRequest, insteadOf task: URLSessionTask, configuration: URLSessionConfiguration) {
        if !request.isForHTTP {
            // A redirect must not read a file or reach a server that speaks another protocol.
            self = .complete(TaskOutcome(error: URLError(.unsupportedURL)).naming(request.url))
        } else if task is URLSessionDownloadTask, !configuration.loadsOverHTTP(request) {
            // A `URLProtocol` of the caller makes no file, with or without a redirect.
            self = .complete(TaskOutcome())
        } else {
            self = .follow(request)
        }
    }
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
