#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// What to do about an authentication challenge, such as a 401.
///
/// FoundationNetworking never completes a task whose challenge no credential answers, and no timeout fires
/// (https://github.com/swiftlang/swift-corelibs-foundation/issues/5456, fixed in Swift 6.3.2). Such a task is completed
/// with the response of the challenge. Its body is lost.
enum ChallengeDecision {
    case taskIsOver
    case cancel
    case performDefaultHandling
    case answer(URLCredential)
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
            self = credential.map(Self.answer) ?? challenge.withoutAnswer
        case .performDefaultHandling where challenge.acceptsAnswer(of: task):
            self = challenge.storedCredential(in: storage).map(Self.answer) ?? challenge.withoutAnswer
        default:
            self = challenge.withoutAnswer
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
    fileprivate var withoutAnswer: ChallengeDecision {
        #if compiler(>=6.3.2)
        if proposedCredential == nil { return .performDefaultHandling }
        #endif
        // A URLProtocol may ask without a response.
        let error = failureResponse == nil ? URLError(.userAuthenticationRequired) : nil
        return .complete(TaskOutcome(data: Data(), response: failureResponse, error: error))
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
