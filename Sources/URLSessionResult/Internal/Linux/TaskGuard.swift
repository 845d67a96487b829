#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Synchronization

/// The delegate of a task. It decides where FoundationNetworking decides badly:
///
/// * A challenge that no credential answers never completes the task (see `ChallengeDecision`).
/// * A redirect leads to a wrong URL and takes every header to any origin (see `URLRequest.redirected(by:…)`).
/// * A redirect crashes over HTTP/2, and when it meets a timeout (see `follow(_:insteadOf:)`).
/// * Cookies of HTTP/2 are not stored (see `URLSessionConfiguration.storeCookies(of:…)`).
///
/// The delegate of the session is asked first. Its decision stands. The guard decides what the delegate leaves to the
/// default.
final class TaskGuard: NSObject, URLSessionTaskDelegate, Sendable {
    let completion: TaskCompletion

    /// Whether the task is an upload of at least one byte.
    private let sendsBody: Bool

    /// The body that another task will send instead of the caller's.
    private let bodyOfReplacement = Mutex(Data())

    /// The session that the caller made the task with.
    let owner: URLSession
    let configuration: URLSessionConfiguration

    /// The request of the caller, without cookies from the storage.
    private let request: URLRequest

    /// The delegate that the session had when the task was made. When the session is invalidated, FoundationNetworking
    /// releases its delegate without a lock, and reading it at that moment crashes.
    private let delegate: any URLSessionTaskDelegate

    private let creation = Date()
    private let task = Mutex(UnownedReference())
    private let hasAnsweredChallenge = Mutex(false)

    /// The `Cookie` field of the latest request if the storage filled it, not the caller.
    private let storedCookieField = Mutex<String?>(nil)

    private let redirects = Mutex(Redirects())

    /// Nil for a session with the default timeout.
    private let resourceTimeout: ResourceTimeout?

    init(
        owner: URLSession, configuration: URLSessionConfiguration, request: URLRequest, sendsBody: Bool,
        outcomeHandler: @escaping OutcomeHandler
    ) {
        self.owner = owner
        self.configuration = configuration
        self.request = request
        self.sendsBody = sendsBody
        delegate = owner.delegate as? any URLSessionTaskDelegate ?? DelegateWithoutDecisions.shared
        completion = TaskCompletion(outcomeHandler)
        resourceTimeout = ResourceTimeout.make(for: configuration)
    }

    /// Takes over a task that was made.
    func start(guarding task: URLSessionTask) {
        if let cookieField = task.originalRequest?.value(forHTTPHeaderField: "Cookie"),
            cookieField != request.value(forHTTPHeaderField: "Cookie")
        {
            storedCookieField.withLock { $0 = cookieField }
        }
        self.task.withLock { $0.task = task }
        task.delegate = self
        resourceTimeout?.start(for: task, guardedBy: self)
    }

    /// Whether the storage has added cookies to the request.
    var sendsStoredCookies: Bool { storedCookieField.withLock { $0 != nil } }

    /// Cancels a task that another one takes the place of. The handler is not called.
    func drop(_ task: URLSessionTask) {
        completion.forgetHandler()
        task.cancel()
    }

    /// Takes the outcome of the guarded task. Only its completion handler calls this.
    func callAsFunction(_ outcome: TaskOutcome) {
        task.withLock { $0.task }?.waitForLateCancellation()
        finish(with: outcome)
    }

    /// Ends the task: its handler is called, unless it was called before.
    func finish(with outcome: TaskOutcome) {
        resourceTimeout?.stop()
        storeCookies(of: outcome.response)
        guard let url = redirects.withLock({ $0.latestURL }) else { return completion.complete(with: outcome) }
        completion.complete(with: outcome.naming(url))
    }

    func keepBodyOfReplacement(_ body: Data) {
        bodyOfReplacement.withLock { $0 = body }
    }

    /// Gives the body away, so that it is held once only.
    func takeBodyOfReplacement() -> Data {
        bodyOfReplacement.withLock { body in
            defer { body = Data() }
            return body
        }
    }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        storeCookies(of: challenge.failureResponse)
        let callersTask = completion.callersTask(for: task)
        delegate.urlSession(owner, task: callersTask, didReceive: challenge) { disposition, credential in
            let decision = ChallengeDecision(
                for: challenge, of: task, disposition: disposition, credential: credential,
                storage: self.configuration.urlCredentialStorage)
            switch decision {
            case .taskIsOver:
                // An answer would keep the task and its session for ever.
                break
            case .cancel:
                task.cancel()
            case .answer(let credential):
                self.hasAnsweredChallenge.withLock { $0 = true }
                ChallengeAnswer.send(credential, for: task, with: completionHandler)
            case .leave(let outcome):
                ChallengeAnswer.leaveToDefault(task, with: completionHandler)
                // If FoundationNetworking has completed the task, it has added an operation that comes before this one.
                session.delegateQueue.addOperation { self.completion.end(task, as: outcome) }
            case .complete(let outcome):
                self.completion.end(task, as: outcome)
            }
        }
    }

    // MARK: Malformed data URLs

    /// Ends a task for a malformed `data` URL. FoundationNetworking only tells the delegate of the task that it failed
    /// (`_DataURLProtocol.startLoading()`). It tells nobody else, and the task goes on for ever.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // This is the work queue, and `cancel()` would wait for it.
        session.delegateQueue.addOperation {
            self.completion.end(task, as: TaskOutcome(error: URLError(.badURL)).naming(task.originalRequest?.url))
        }
    }

    // MARK: Redirects

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        storeCookies(of: response)
        guard mayFollowAnotherRedirect() else {
            completion.end(task, as: TaskOutcome(error: URLError(.httpTooManyRedirects)).naming(response.url))
            return
        }
        guard let proposal = nextRequest(of: task, after: response) else {
            completion.end(task, as: TaskOutcome(data: Data(), response: response))
            return
        }
        let callersTask = completion.callersTask(for: task)
        delegate.urlSession(
            owner, task: callersTask, willPerformHTTPRedirection: response, newRequest: proposal
        ) { request in
            // A delegate that answers twice is heard once.
            guard !self.completion.hasReplaced(task) else { return }
            let decision = RedirectDecision(
                about: request, after: response, of: task, sendsBody: self.sendsBody,
                hasAnsweredChallenge: self.hasAnsweredChallenge.withLock { $0 }, configuration: self.configuration)
            switch decision {
            case .taskIsOver:
                break
            case .complete(let outcome):
                self.completion.end(task, as: outcome)
            case .follow(let request):
                self.redirects.withLock { $0.latestURL = request.url }
                self.follow(request, insteadOf: task)
            }
        }
    }
}

extension TaskGuard {
    /// Stores the cookies of a response that came over HTTP. A `URLProtocol` of the caller stores its cookies itself, as on
    /// Apple's platforms (https://github.com/lionheart/openradar-mirror/issues/18349).
    func storeCookies(of response: URLResponse?) {
        guard let response = response as? HTTPURLResponse, configuration.loadsOverHTTP(request) else { return }
        configuration.storeCookies(of: response, since: creation)
    }

    /// Counts a redirect. FoundationNetworking has the same limit for each task, and each redirect has a new one.
    private func mayFollowAnotherRedirect() -> Bool {
        redirects.withLock { redirects in
            redirects.count += 1
            return redirects.count <= 20
        }
    }

    /// The request to propose to the session's delegate after a redirect. It is nil if `Location` is malformed.
    private func nextRequest(of task: URLSessionTask, after response: HTTPURLResponse) -> URLRequest? {
        guard var request = task.currentRequest else { return nil }
        if request.value(forHTTPHeaderField: "Cookie") == storedCookieField.withLock({ $0 }) {
            request.setValue(nil, forHTTPHeaderField: "Cookie")
        }
        guard var next = request.redirected(by: response, configuration: configuration) else { return nil }
        let cookies = configuration.storedCookies(for: next)
        next.setCookies(cookies)
        let cookieField = cookies.isEmpty ? nil : next.value(forHTTPHeaderField: "Cookie")
        storedCookieField.withLock { $0 = cookieField }
        return next
    }
}

private struct Redirects: Sendable {
    var count = 0

    /// The URL that the latest one led to.
    var latestURL: URL?
}

/// A reference to a task that keeps its guard, as its delegate.
///
/// Unsafe only to the compiler: it is used in the completion handler of the task, while FoundationNetworking keeps the task.
private struct UnownedReference: Sendable {
    unowned(unsafe) var task: URLSessionTask?
}

/// A delegate that leaves every decision to the default, for a session without one.
private final class DelegateWithoutDecisions: NSObject, URLSessionTaskDelegate, Sendable {
    static let shared = DelegateWithoutDecisions()
}

#endif
