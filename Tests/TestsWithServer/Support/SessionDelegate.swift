import Foundation
import URLSessionResult

@testable import TestSupport

/// The delegate of a session as an app would have it, counting what it is asked.
final class SessionDelegate: NSObject, URLSessionTaskDelegate {
    let challenges = Monitor(0)
    let redirects = Monitor(0)
    private let challenge: (URLSession.AuthChallengeDisposition, URLCredential?)
    private let redirect: @Sendable (URLRequest) -> URLRequest?

    init(
        challenge: (URLSession.AuthChallengeDisposition, URLCredential?) = (.performDefaultHandling, nil),
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }
    ) {
        self.challenge = challenge
        self.redirect = redirect
    }

    func session(with configuration: URLSessionConfiguration = .forTests) -> URLSession {
        URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenges.withLock { $0 += 1 }
        completionHandler(self.challenge.0, self.challenge.1)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirects.withLock { $0 += 1 }
        completionHandler(redirect(request))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(InputStream(data: Data("renewed".utf8)))
    }
}
