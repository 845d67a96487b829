#if canImport(FoundationNetworking)

import Foundation

/// Asks the delegate of one request, and the delegate of the session about what the first leaves to the default.
///
/// On Apple's platforms, the session's delegate is asked where the first lacks the method. Here none lacks a method, because
/// the protocol has default implementations. So a default answer counts as none.
///
/// Both are asked on the delegate queue of the session.
final class RequestDelegate: NSObject, URLSessionTaskDelegate {
    private let delegate: any URLSessionTaskDelegate
    private let sessionDelegate: any URLSessionTaskDelegate

    init(_ delegate: any URLSessionTaskDelegate, before sessionDelegate: any URLSessionTaskDelegate) {
        self.delegate = delegate
        self.sessionDelegate = sessionDelegate
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        delegate.urlSession(session, task: task, didReceive: challenge) { [sessionDelegate] disposition, credential in
            guard disposition == .performDefaultHandling else { return completionHandler(disposition, credential) }
            session.delegateQueue.addOperation {
                sessionDelegate.urlSession(
                    session, task: task, didReceive: challenge, completionHandler: completionHandler)
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        delegate.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request
        ) { [sessionDelegate] answer in
            guard let answer, answer.isSame(as: request) else { return completionHandler(answer) }
            session.delegateQueue.addOperation {
                sessionDelegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: answer,
                    completionHandler: completionHandler)
            }
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        delegate.urlSession(session, task: task) { [sessionDelegate] stream in
            guard stream == nil else { return completionHandler(stream) }
            sessionDelegate.urlSession(session, task: task, needNewBodyStream: completionHandler)
        }
    }
}

extension URLRequest {
    /// Whether a delegate changed nothing. FoundationNetworking compares neither header fields nor bodies.
    fileprivate func isSame(as other: URLRequest) -> Bool {
        self == other && allHTTPHeaderFields == other.allHTTPHeaderFields
            && httpBody == other.httpBody
    }
}

// Part of: Exchange

#endif
