#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The delegate of a task. It decides where FoundationNetworking decides badly:
///
/// * A challenge that no credential answers never completes the task (see `ChallengeDecision`).
/// * A redirect takes every header to any origin (see `RedirectedRequest`).
///
/// The delegate of the session is asked first. Its decision stands. The guard decides what the delegate leaves to the
/// default.
final class TaskGuard: NSObject, URLSessionTaskDelegate, Sendable {
    let completion: TaskCompletion

    /// The body of an upload, which no task tells.
    let uploadBody: Data

    /// The session that the caller made the task with.
    private let owner: URLSession
    private let hasAnsweredChallenge = Locked(false)

    init(owner: URLSession, uploadBody: Data, outcomeHandler: @escaping OutcomeHandler) {
        self.owner = owner
        self.uploadBody = uploadBody
        completion = TaskCompletion(outcomeHandler)
    }

    private var delegate: any URLSessionTaskDelegate {
        owner.delegate as? any URLSessionTaskDelegate ?? DelegateWithoutDecisions()
    }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        delegate.urlSession(owner, task: task, didReceive: challenge) { disposition, credential in
            let decision = ChallengeDecision(
                for: challenge, of: task, disposition: disposition, credential: credential,
                storage: self.owner.configuration.urlCredentialStorage)
            switch decision {
            case .taskIsOver:
                // An answer would keep the task and its session for ever.
                break
            case .cancel:
                task.cancel()
            case .performDefaultHandling:
                completionHandler(.performDefaultHandling, nil)
            case .answer(let credential):
                self.hasAnsweredChallenge.withLock { $0 = true }
                completionHandler(.useCredential, credential)
            case .complete(let outcome):
                self.completion.end(task, as: outcome)
            }
        }
    }

    // MARK: Redirects

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let proposal = newRequest.redirected(from: response.url, by: session.configuration)
        delegate.urlSession(owner, task: task, willPerformHTTPRedirection: response, newRequest: proposal) { request in
            let decision = RedirectDecision(
                about: request, after: response, of: task,
                hasAnsweredChallenge: self.hasAnsweredChallenge.withLock { $0 })
            switch decision {
            case .taskIsOver:
                // An answer would crash.
                break
            case .complete(let outcome):
                self.completion.end(task, as: outcome)
            case .proceed(let request):
                completionHandler(request)
            }
        }
    }
}

/// A delegate that leaves every decision to the default, for a session without one.
private final class DelegateWithoutDecisions: NSObject, URLSessionTaskDelegate {}

#endif
