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
final class TaskGuard: NSObject, URLSessionTaskDelegate, Sendable {
    #if compiler(>=6.3.2)
    private static let platformCompletesUnmetChallenges = true
    #else
    private static let platformCompletesUnmetChallenges = false
    #endif

    struct State {
        var handler: OutcomeHandler?
        /// What the task has ended in, where the guard knows better than the task.
        var verdict: TaskOutcome?
        /// Whether a credential has been sent.
        var hasMetChallenge = false
        /// The task that was asked for and the one that is run in its place, to be observed.
        var tasks: [URLSessionTask] = []
        var meter: ProgressMeter?
        var received = Data()
        var file: URL?
    }

    /// What an upload sends, which no task tells.
    let body: Data?
    let state: Mutex<State>
    private let owner: URLSession

    /// - Parameters:
    ///   - owner: The session that the task was asked of.
    ///   - body: What an upload sends.
    ///   - handler: Called once when the task is over.
    init(of owner: URLSession, body: Data?, handler: @escaping OutcomeHandler) {
        self.owner = owner
        self.body = body
        state = Mutex(State(handler: handler))
    }

    /// Calls the handler, unless that was done, and removes the temporary file of a download unless it was moved.
    func complete(with outcome: TaskOutcome) {
        let (handler, tasks, verdict) = state.withLock { state in
            defer { (state.handler, state.tasks) = (nil, []) }
            return (state.handler, state.tasks, state.verdict)
        }
        let outcome = verdict ?? outcome
        handler?(outcome)
        for task in tasks { task.cancel() }
        if let file = outcome.file { try? FileManager.default.removeItem(at: file) }
    }

    private func end(_ task: URLSessionTask, as outcome: TaskOutcome) {
        state.withLock { $0.verdict = outcome }
        task.cancel()
    }

    private var delegate: (any URLSessionTaskDelegate)? { owner.delegate as? any URLSessionTaskDelegate }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let answer = { @Sendable (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?) in
            // Once the task is over, an answer would keep it and its session for ever.
            guard task.state == .running || task.state == .suspended else { return }
            let isDefault = disposition == .performDefaultHandling
            let credential = isDefault ? challenge.storedCredential(in: session.configuration) : credential
            if disposition == .cancelAuthenticationChallenge {
                completionHandler(disposition, nil)
            } else if let credential, disposition != .rejectProtectionSpace, challenge.canBeMet(by: task) {
                // What was received is the body of the challenge.
                self.state.withLock { ($0.hasMetChallenge, $0.received) = (true, Data()) }
                completionHandler(.useCredential, credential)
            } else if challenge.proposedCredential == nil, Self.platformCompletesUnmetChallenges {
                completionHandler(.performDefaultHandling, nil)
            } else {
                // A URLProtocol may ask without the answer of any server.
                let response = challenge.failureResponse
                let error = response == nil ? URLError(.userAuthenticationRequired) : nil
                self.end(task, as: TaskOutcome(data: Data(), response: response, error: error))
            }
        }
        guard let delegate else { return answer(.performDefaultHandling, nil) }
        delegate.urlSession(owner, task: task, didReceive: challenge, completionHandler: answer)
    }

    // MARK: Redirects

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let answer = { @Sendable (request: URLRequest?) in
            if task.response === response {
                // The timeout fired while the answer was awaited. It leaves the task with the response of the redirect
                // and its handler uncalled, and an answer would end the process.
                self.end(task, as: TaskOutcome(error: URLError(.timedOut)))
            } else if request == nil ? task is URLSessionDownloadTask : self.state.withLock({ $0.hasMetChallenge }) {
                // The body of a redirect that is not followed is delivered as that of a data task. And after a
                // challenge that was met, its request is sent again and again in place of the one that follows.
                self.end(task, as: TaskOutcome(data: Data(), response: response))
            } else if task.state == .running || task.state == .suspended {
                // Once the task is cancelled, too, an answer would end the process.
                completionHandler(request)
            }
        }
        let request = newRequest.redirected(from: response.url, in: session.configuration)
        guard let delegate else { return answer(request) }
        delegate.urlSession(
            owner, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: answer)
    }

    // MARK: Bodies

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let delegate else { return completionHandler(nil) }
        delegate.urlSession(owner, task: task, needNewBodyStream: completionHandler)
    }
}

extension URLAuthenticationChallenge {
    /// Whether FoundationNetworking can answer with a credential.
    ///
    /// It ends the process for any scheme but Basic, should it ever ask about one, and it sends the credential to the
    /// origin of the first request, which after a redirect is not the one that asks.
    fileprivate func canBeMet(by task: URLSessionTask) -> Bool {
        protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
            && failureResponse?.url?.origin == task.originalRequest?.url?.origin
    }

    /// The credential that the storage has for this challenge, unless the server has refused it already.
    ///
    /// FoundationNetworking looks for the very object that a credential was stored for, and finds none.
    fileprivate func storedCredential(in configuration: URLSessionConfiguration) -> URLCredential? {
        guard previousFailureCount == 0 else { return nil }
        let all = configuration.urlCredentialStorage?.allCredentials
        let stored = all?.first { $0.key.isEquivalent(to: protectionSpace) }?.value.min { $0.key < $1.key }?.value
        guard let credential = proposedCredential ?? stored else { return nil }
        // One that may be kept would be stored again with every request, for a new object each time.
        return URLCredential(user: credential.user ?? "", password: credential.password ?? "", persistence: .none)
    }
}

extension URLProtectionSpace {
    fileprivate func isEquivalent(to other: URLProtectionSpace) -> Bool {
        (host, port, `protocol`, realm, authenticationMethod)
            == (other.host, other.port, other.protocol, other.realm, other.authenticationMethod)
    }
}

extension URLRequest {
    /// The request that follows a redirect.
    ///
    /// Credentials are removed when the origin changes, as the WHATWG fetch standard does ("HTTP-redirect fetch").
    /// A delegate's request is sent as it is, so the cookies stored for its URL are added here.
    fileprivate func redirected(from source: URL?, in configuration: URLSessionConfiguration) -> URLRequest {
        var request = self
        if url?.origin != source?.origin { request.removeCredentials(of: source, and: configuration) }
        if configuration.httpShouldSetCookies, let url {
            let cookies = configuration.httpCookieStorage?.cookies(for: url) ?? []
            let fields = HTTPCookie.requestHeaderFields(with: cookies)
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        }
        return request
    }

    private mutating func removeCredentials(of source: URL?, and configuration: URLSessionConfiguration) {
        let additional = (configuration.httpAdditionalHeaders ?? [:]).keys.map { "\($0)".lowercased() }
        for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
            // The configuration adds its headers to every request that lacks them. libcurl leaves out a blank one.
            setValue(additional.contains(name.lowercased()) ? " " : nil, forHTTPHeaderField: name)
        }
        // A `Location` without a scheme inherits the user and password of the first URL.
        if let url, url.user != nil, url.user == source?.user, var parts = URLComponents(string: url.absoluteString) {
            (parts.user, parts.password) = (nil, nil)
            self.url = parts.url
        }
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454, section 4).
    var origin: [String?] {
        let scheme = scheme?.lowercased()
        return [scheme, host?.lowercased(), (port ?? (scheme == "https" ? 443 : 80)).description]
    }
}

#endif
