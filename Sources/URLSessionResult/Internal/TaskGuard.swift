#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Synchronization

/// Answers the two questions that FoundationNetworking answers badly when nobody else does.
///
/// * A `401` that no credential can meet is never completed, and no timeout fires
///   (https://github.com/swiftlang/swift-corelibs-foundation/issues/5456, fixed in Swift 6.3.2). The guard cancels the
///   task and completes it with the response of the challenge, whose body is lost.
/// * A redirect takes every header along to any origin. The guard removes credentials when the origin changes.
///
/// The session's own delegate is asked first. What it decides stands; what it leaves to the default, the guard does.
final class TaskGuard: NSObject, URLSessionTaskDelegate {
    private enum Verdict: Sendable {
        case refused(HTTPURLResponse)
        case timedOut
    }

    private static let platformCompletesUnmetChallenges: Bool = {
        #if compiler(>=6.3.2)
        true
        #else
        false
        #endif
    }()

    private let verdict = Mutex<Verdict?>(nil)

    /// Passes on what a task ended in, unless the guard knows better.
    func complete<Body>(
        _ body: Body?,
        _ response: URLResponse?,
        _ error: (any Error)?,
        _ completionHandler: CompletionHandler<Body>
    ) {
        switch verdict.withLock({ $0 }) {
        case nil: completionHandler(body, response, error)
        case .refused(let response): completionHandler(nil, response, nil)
        case .timedOut: completionHandler(nil, nil, URLError(.timedOut))
        }
    }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer = { @Sendable (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
            switch disposition {
            case .useCredential:
                self.meet(challenge, of: task, with: credential, completionHandler)
            case .cancelAuthenticationChallenge:
                completionHandler(.cancelAuthenticationChallenge, nil)
            default:
                let stored = challenge.storedCredential(in: session.configuration.urlCredentialStorage)
                self.meet(challenge, of: task, with: stored, completionHandler)
            }
        }
        if let delegate = session.delegate as? any URLSessionTaskDelegate {
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
        } else {
            answer(.performDefaultHandling, nil)
        }
    }

    private func meet(
        _ challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        with credential: URLCredential?,
        _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let credential, challenge.canBeMet(for: task) {
            completionHandler(.useCredential, credential)
        } else if challenge.proposedCredential == nil, Self.platformCompletesUnmetChallenges {
            completionHandler(.performDefaultHandling, nil)
        } else {
            if let response = challenge.failureResponse as? HTTPURLResponse {
                verdict.withLock { $0 = .refused(response) }
            }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    // MARK: Redirects

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let request = request.redirected(from: response.url, in: session.configuration)
        guard let delegate = session.delegate as? any URLSessionTaskDelegate else {
            return follow(request, response, of: task, completionHandler)
        }
        delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) { request in
            self.follow(request, response, of: task, completionHandler)
        }
    }

    /// Answers a redirect unless the task is over: an answer that comes late ends the process.
    private func follow(
        _ request: URLRequest?,
        _ response: HTTPURLResponse,
        of task: URLSessionTask,
        _ completionHandler: (URLRequest?) -> Void
    ) {
        if task.response === response {
            // The timeout fired while the answer was awaited. It leaves the task with the response of the redirect, and
            // without a call of its handler.
            verdict.withLock { $0 = .timedOut }
            task.cancel()
        } else if task.state == .running || task.state == .suspended {
            completionHandler(request)
        }
    }

    // MARK: Bodies

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let delegate = session.delegate as? any URLSessionTaskDelegate else { return completionHandler(nil) }
        delegate.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }
}

extension URLAuthenticationChallenge {
    /// Whether FoundationNetworking can answer with a credential.
    ///
    /// It ends the process for any scheme but Basic, and it sends the credential to the origin of the first request,
    /// which after a redirect is not the one that asks.
    fileprivate func canBeMet(for task: URLSessionTask) -> Bool {
        protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
            && failureResponse?.url?.hasSameOrigin(as: task.originalRequest?.url) == true
    }

    /// The credential that the storage has for this challenge, unless the server has refused it already.
    ///
    /// FoundationNetworking looks for the very object that a credential was stored for, and finds none.
    fileprivate func storedCredential(in storage: URLCredentialStorage?) -> URLCredential? {
        guard previousFailureCount == 0 else { return nil }
        let matching = storage?.allCredentials.first { $0.key.isEquivalent(to: protectionSpace) }
        let stored = matching?.value.min { $0.key < $1.key }?.value
        guard let credential = proposedCredential ?? stored else { return nil }
        // One that may be kept would be stored again with every request, for a new object each time.
        return URLCredential(
            user: credential.user ?? "", password: credential.password ?? "", persistence: .none)
    }
}

extension URLProtectionSpace {
    fileprivate func isEquivalent(to other: URLProtectionSpace) -> Bool {
        (host, port, `protocol`, realm, authenticationMethod)
            == (other.host, other.port, other.protocol, other.realm, other.authenticationMethod)
            && isProxy() == other.isProxy()
    }
}

extension URLRequest {
    private static let credentialHeaders = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// The request that follows a redirect.
    ///
    /// Credentials are removed when the origin changes, as the WHATWG fetch standard does ("HTTP-redirect fetch").
    /// A delegate's request is sent as it is, so the cookies stored for its URL are added here.
    fileprivate func redirected(from url: URL?, in configuration: URLSessionConfiguration) -> URLRequest {
        var request = self
        if request.url?.hasSameOrigin(as: url) != true {
            request.removeCredentials(from: url, in: configuration)
        }
        request.addStoredCookies(of: configuration)
        return request
    }

    private mutating func removeCredentials(from source: URL?, in configuration: URLSessionConfiguration) {
        let additional = Set((configuration.httpAdditionalHeaders ?? [:]).keys.map { "\($0)".lowercased() })
        for name in Self.credentialHeaders {
            // The configuration's headers are added to every request that lacks them. libcurl leaves out a header that
            // is blank.
            setValue(additional.contains(name.lowercased()) ? " " : nil, forHTTPHeaderField: name)
        }
        // A `Location` without a scheme inherits the user and password of the first URL.
        if let target = url, target.user != nil, target.user == source?.user,
            var components = URLComponents(url: target, resolvingAgainstBaseURL: true)
        {
            components.user = nil
            components.password = nil
            url = components.url
        }
    }

    private mutating func addStoredCookies(of configuration: URLSessionConfiguration) {
        guard configuration.httpShouldSetCookies, let url,
            let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
        else { return }
        setValue(HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], forHTTPHeaderField: "Cookie")
    }
}

extension URL {
    /// Whether scheme, host and port are the same (RFC 6454, section 5).
    fileprivate func hasSameOrigin(as other: URL?) -> Bool {
        guard let other else { return false }
        return origin == other.origin
    }

    private var origin: [String?] {
        let scheme = scheme?.lowercased()
        let defaultPort = ["http": 80, "https": 443][scheme ?? ""]
        return [scheme, host?.lowercased(), (port ?? defaultPort).map(String.init)]
    }
}

#endif
