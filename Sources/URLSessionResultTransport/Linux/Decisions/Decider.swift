#if canImport(FoundationNetworking)

import Foundation

/// Who decides about the responses of an exchange: the delegate of the task, and that of the session about what the first
/// leaves to the default.
///
/// On Apple's platforms, the session's delegate is asked where the first lacks the method. Here none lacks a method, because
/// the protocol has default implementations. So a default answer counts as none.
///
/// Both are asked on the delegate queue of the session. The first answer of each counts.
final class Decider: Sendable {
    private let session: URLSession

    /// The delegate that the session had when the task was made.
    ///
    /// When the session is invalidated, FoundationNetworking releases its delegate without a lock, and reading it at that
    /// moment crashes.
    private let delegateOfSession: Locked<any URLSessionTaskDelegate>
    private let delegate = Locked<(any URLSessionTaskDelegate)?>(nil)

    init(for session: URLSession) {
        self.session = session
        delegateOfSession = Locked(session.delegate as? any URLSessionTaskDelegate ?? DelegateWithoutDecisions.shared)
    }

    private var sessionDelegate: any URLSessionTaskDelegate { delegateOfSession.withLock { $0 } }

    var taskDelegate: (any URLSessionTaskDelegate)? {
        get { delegate.withLock { $0 } }
        set { _ = delegate.exchange(with: newValue) }
    }

    /// Lets the delegates go when the request is over. They may keep the task.
    func letGo() {
        _ = delegate.exchange(with: nil)
        _ = delegateOfSession.exchange(with: DelegateWithoutDecisions.shared)
    }

    func decide(
        about challenge: Challenge, of task: URLSessionTask,
        _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let challenge = challenge.challenge
        let askSession = { @Sendable [self] in
            sessionDelegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
        }
        guard let taskDelegate else { return askSession() }
        let isAnswered = Locked(false)
        taskDelegate.urlSession(session, task: task, didReceive: challenge) { [self] disposition, credential in
            guard isAnswered.setOnce() else { return }
            guard disposition == .performDefaultHandling else { return answer(disposition, credential) }
            session.delegateQueue.addWork(askSession)
        }
    }

    /// - Parameters:
    ///   - redirect: The redirect.
    ///   - task: The caller's task.
    ///   - answer: A function that takes the request to send, or nil to stop.
    func decide(
        about redirect: Redirect, of task: URLSessionTask, _ answer: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let proposal = redirect.proposal.request
        let askSession = { @Sendable [self] (proposal: URLRequest) in
            sessionDelegate.urlSession(
                session, task: task, willPerformHTTPRedirection: redirect.response, newRequest: proposal,
                completionHandler: answer)
        }
        guard let taskDelegate else { return askSession(proposal) }
        let isAnswered = Locked(false)
        taskDelegate.urlSession(
            session, task: task, willPerformHTTPRedirection: redirect.response, newRequest: proposal
        ) { [self] request in
            guard isAnswered.setOnce() else { return }
            guard let request, request.isSame(as: proposal) else { return answer(request) }
            session.delegateQueue.addWork { askSession(request) }
        }
    }

    func renewStream(of task: URLSessionTask, _ answer: @escaping @Sendable (InputStream?) -> Void) {
        let isAnswered = Locked(false)
        let answer = { @Sendable (stream: InputStream?) in
            if isAnswered.setOnce() { answer(stream) }
        }
        guard let taskDelegate else {
            return sessionDelegate.urlSession(session, task: task, needNewBodyStream: answer)
        }
        taskDelegate.urlSession(session, task: task) { [self] stream in
            guard stream == nil else { return answer(stream) }
            sessionDelegate.urlSession(session, task: task, needNewBodyStream: answer)
        }
    }
}

extension URLRequest {
    /// Whether a delegate changed nothing. FoundationNetworking compares neither header fields nor bodies.
    fileprivate func isSame(as other: URLRequest) -> Bool {
        self == other && allHTTPHeaderFields == other.allHTTPHeaderFields && httpBody == other.httpBody
    }
}

/// A delegate that leaves every decision to the default, for a session without one.
private final class DelegateWithoutDecisions: NSObject, URLSessionTaskDelegate, Sendable {
    static let shared = DelegateWithoutDecisions()
}

#endif
