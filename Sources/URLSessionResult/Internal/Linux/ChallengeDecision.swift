#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// What to do about an authentication challenge, such as a 401.
///
/// FoundationNetworking never completes a task whose challenge no credential answers, and no timeout fires
/// (https://github.com/swiftlang/swift-corelibs-foundation/issues/5456). From Swift 6.3.2 on, it completes the task if its
/// delegate leaves the challenge to the default.
enum ChallengeDecision {
    case taskIsOver
    case cancel
    case answer(URLCredential)

    /// Leave the challenge to FoundationNetworking, which may complete the task with the body of the response. If it does
    /// nothing, complete the task with this outcome, which has no body.
    case leave(TaskOutcome)
    case complete(TaskOutcome)

    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - task: The task that was challenged.
    ///   - disposition: The decision of the session's delegate.
    ///   - credential: The credential of the session's delegate.
    ///   - storage: The credential storage of the session.
    init(
        for challenge: URLAuthenticationChallenge, of task: URLSessionTask,
        disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, storage: URLCredentialStorage?
    ) {
        guard task.isUnderWay else {
            self = .taskIsOver
            return
        }
        switch disposition {
        case .cancelAuthenticationChallenge:
            self = .cancel
        case .useCredential where challenge.acceptsAnswer(of: task):
            self = credential.map(Self.answer) ?? challenge.withoutAnswer(of: task)
        case .performDefaultHandling where challenge.acceptsAnswer(of: task):
            self = challenge.storedCredential(in: storage).map(Self.answer) ?? challenge.withoutAnswer(of: task)
        default:
            self = challenge.withoutAnswer(of: task)
        }
    }
}

extension URLSessionTask {
    /// Whether the task may still be answered. FoundationNetworking crashes or leaks when it answers for a task that is
    /// cancelled or completed.
    var isUnderWay: Bool { state == .running || state == .suspended }
}

extension URLAuthenticationChallenge {
    /// The decision where no credential answers the challenge.
    fileprivate func withoutAnswer(of task: URLSessionTask) -> ChallengeDecision {
        guard let failureResponse else {
            // A URLProtocol may ask without a response.
            return .complete(TaskOutcome(error: URLError(.userAuthenticationRequired)))
        }
        let outcome = TaskOutcome(data: Data(), response: failureResponse)
        // The task has the response if FoundationNetworking asks, and not if a URLProtocol of the caller does: such a task
        // would be completed as if it had succeeded. A proposed credential would be sent, and one that the server has
        // refused would be stored.
        let mayBeLeft = failureResponse === task.response && proposedCredential == nil && previousFailureCount == 0
        return mayBeLeft ? .leave(outcome) : .complete(outcome)
    }

    /// Whether a credential can be sent, and only to the server that asks.
    fileprivate func acceptsAnswer(of task: URLSessionTask) -> Bool {
        // FoundationNetworking crashes when a challenge of another scheme is answered.
        let isBasic = protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        // FoundationNetworking sends a credential to the origin of the first request, also if another server asks after
        // a redirect.
        let isFromFirstOrigin = failureResponse?.url?.origin == task.originalRequest?.url?.origin
        return isBasic && isFromFirstOrigin
    }

    /// The stored credential for the challenge, unless the server has refused it already.
    fileprivate func storedCredential(in storage: URLCredentialStorage?) -> URLCredential? {
        guard previousFailureCount == 0 else { return nil }
        guard let found = proposedCredential ?? storage?.credential(forEqualOf: protectionSpace) else { return nil }
        // FoundationNetworking would store a persistent credential with every request, for a new object each time.
        return URLCredential(user: found.user ?? "", password: found.password ?? "", persistence: .none)
    }
}

extension URLCredentialStorage {
    /// The first credential that is stored for an equal protection space.
    ///
    /// FoundationNetworking compares protection spaces by identity, and so finds nothing.
    fileprivate func credential(forEqualOf space: URLProtectionSpace) -> URLCredential? {
        let credentials = allCredentials.first { $0.key.parts == space.parts }?.value
        return credentials?.min { $0.key < $1.key }?.value
    }
}

extension URLProtectionSpace {
    /// The properties that make two protection spaces equal.
    fileprivate var parts: [String?] {
        [host, "\(port)", `protocol`, realm, authenticationMethod]
    }
}

#endif
