#if canImport(FoundationNetworking)

import Foundation

/// Who decides about the responses of a transfer: the delegate of the task, and that of the session about what the first
/// leaves to the default.
///
/// On Apple's platforms, the session's delegate is asked where the first lacks the method. Here none lacks a method, because
/// the protocol has default implementations. So a default answer counts as none.
///
/// Both are asked on the delegate queue of the session. The first answer of each counts.
final class TaskDelegates: Sendable {
    private let session: URLSession

    private struct Delegates {
        /// The delegate that the session had when the task was made.
        ///
        /// When the session is invalidated, FoundationNetworking releases its delegate without a lock, and reading it at that
        /// moment crashes.
        var ofSession: any URLSessionTaskDelegate
        var ofTask: (any URLSessionTaskDelegate)?

        /// Whether the request is over. Then no delegate is kept any more.
        var isOver = false
    }

    /// Guards the delegates: the caller sets one while the delegate queue asks, or the end lets them go. Nobody is asked under it, and
    /// nobody is released.
    ///
    /// 1. The end lets the delegates go, and notes that it did.
    /// 2. The caller sets a delegate. It is not kept: nobody would release it, and it may keep the task.
    private let delegates: Locked<Delegates>

    init(for session: URLSession) {
        self.session = session
        let delegate = session.delegate as? any URLSessionTaskDelegate
        delegates = Locked(Delegates(ofSession: delegate ?? DelegateWithoutDecisions.shared))
    }

    private var sessionDelegate: any URLSessionTaskDelegate { delegates.withLock { $0.ofSession } }

    var taskDelegate: (any URLSessionTaskDelegate)? {
        get { delegates.withLock { $0.ofTask } }
        // A `deinit` may read the task's delegate.
        set { delegates.change { if !$0.isOver { $0.ofTask = newValue } } }
    }

    /// Releases the delegates when the request is over. They may keep the task.
    func releaseDelegates() {
        delegates.change { $0 = Delegates(ofSession: DelegateWithoutDecisions.shared, isOver: true) }
    }

    // MARK: Questions

    // Each is asked on the delegate queue. The session's delegate is asked only if the question is still open: another operation of the
    // queue may have ended the request.

    /// Asks for a credential.
    func decide(
        about challenge: Challenge, of task: URLSessionTask, while isOpen: @escaping @Sendable () -> Bool,
        _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        ask(while: isOpen, for: { answer($0.0, $0.1) }) { [session] delegate, answer in
            delegate.urlSession(session, task: task, didReceive: challenge.shown) { answer(($0, $1)) }
        } isDefault: { disposition, _ in
            disposition == .performDefaultHandling
        }
    }

    /// Asks which request to send after a redirect. Without one, it is not followed.
    func decide(
        about redirect: Redirect, of task: URLSessionTask, while isOpen: @escaping @Sendable () -> Bool,
        _ answer: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let proposal = redirect.proposal.request
        ask(while: isOpen, for: answer) { [session] delegate, answer in
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: redirect.response, newRequest: proposal,
                completionHandler: answer)
        } isDefault: { request in
            request?.isSame(as: proposal) == true
        }
    }

    /// Asks for a new body stream, because the first one was read.
    func renewStream(
        of task: URLSessionTask, while isOpen: @escaping @Sendable () -> Bool,
        _ answer: @escaping @Sendable (InputStream?) -> Void
    ) {
        ask(while: isOpen, for: answer) { [session] delegate, answer in
            delegate.urlSession(session, task: task, needNewBodyStream: answer)
        } isDefault: { stream in
            stream == nil
        }
    }

    private func ask<Answer>(
        while isOpen: @escaping @Sendable () -> Bool, for answer: @escaping @Sendable (Answer) -> Void,
        _ question: @escaping @Sendable (any URLSessionTaskDelegate, @escaping @Sendable (Answer) -> Void) -> Void,
        isDefault: @escaping @Sendable (Answer) -> Bool
    ) {
        guard let taskDelegate else { return question(sessionDelegate, first(answer)) }
        let takeAnswerOfTask = first { [self] (decision: Answer) in
            guard isDefault(decision) else { return answer(decision) }
            session.delegateQueue.addWork { [self] in if isOpen() { question(sessionDelegate, first(answer)) } }
        }
        question(taskDelegate, takeAnswerOfTask)
    }
}

/// Makes a function that passes the first answer on, and no other.
private func first<Answer>(_ answer: @escaping @Sendable (Answer) -> Void) -> @Sendable (Answer) -> Void {
    // The delegate may answer on two threads at once.
    let isAnswered = Locked(false)
    return { decision in
        if isAnswered.setOnce() { answer(decision) }
    }
}

extension URLRequest {
    /// Whether a delegate changed nothing. FoundationNetworking compares neither header fields nor bodies nor timeouts.
    fileprivate func isSame(as other: URLRequest) -> Bool {
        self == other && allHTTPHeaderFields == other.allHTTPHeaderFields && httpBody == other.httpBody
            && timeoutInterval == other.timeoutInterval
    }
}

/// A delegate that leaves every decision to the default, for a session without one.
private final class DelegateWithoutDecisions: NSObject, URLSessionTaskDelegate, Sendable {
    static let shared = DelegateWithoutDecisions()
}

#endif
