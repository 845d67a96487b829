#if canImport(FoundationNetworking)

import Foundation

/// A response that asks for a credential: what a delegate is asked, and what is sent after its answer.
struct Challenge: Sendable {
    /// What the delegate is shown: with the stored credential, and with the number of those that were rejected.
    ///
    /// FoundationNetworking knows neither: the inner session has no storage, and each answer is sent by a task of its own.
    let shown: URLAuthenticationChallenge
    private let prepared: PreparedRequest

    /// How many credentials a server may refuse, one after the other.
    static let mostRefusedCredentials = 20

    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - prepared: The request that was challenged.
    ///   - count: How many credentials the server has rejected.
    ///   - storage: Where the session keeps credentials.
    init(
        _ challenge: URLAuthenticationChallenge, to prepared: PreparedRequest, refusedCredentials count: Int,
        storage: URLCredentialStorage?
    ) {
        self.prepared = prepared
        let stored = challenge.proposedCredential ?? storage?.credential(for: challenge.protectionSpace)
        shown = URLAuthenticationChallenge(
            protectionSpace: challenge.protectionSpace, proposedCredential: count == 0 ? stored : nil,
            previousFailureCount: count, failureResponse: challenge.failureResponse, error: challenge.error,
            sender: challenge.sender ?? NoSender())
    }

    /// The step after the decision of the delegate.
    ///
    /// - Parameters:
    ///   - disposition: What the delegate wants.
    ///   - credential: Its credential.
    ///   - outcome: The outcome if no credential answers the challenge.
    /// - Returns: The step.
    func nextStep(
        _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?,
        orEndWith outcome: @autoclosure () -> TaskOutcome
    ) -> NextStep {
        guard disposition != .cancelAuthenticationChallenge else {
            return .end(.failure(.cancelled, at: prepared.request.url))
        }
        guard shown.failureResponse != nil else {
            // A `URLProtocol` of the caller may ask without a response.
            return .end(.failure(.userAuthenticationRequired, at: prepared.request.url))
        }
        let credential =
            switch disposition {
            case .useCredential: credential
            case .performDefaultHandling: shown.proposedCredential
            default: nil as URLCredential?
            }
        return NextStep(sending: credential.flatMap { answer(with: $0) }, orEndWith: outcome())
    }

    /// The request with a credential, or nil if the credential must not answer the challenge: another origin asks for it, or in
    /// another way than Basic (RFC 7617), the only one that FoundationNetworking knows.
    private func answer(with credential: URLCredential) -> PreparedRequest? {
        let isBasic = shown.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        // Workaround: originOfCredential
        guard isBasic, shown.failureResponse?.url?.origin == prepared.request.url?.origin else { return nil }
        let userAndPassword = "\(credential.user ?? ""):\(credential.password ?? "")"
        let value = "Basic \(Data(userAndPassword.utf8).base64EncodedString())"
        var answer = prepared
        answer.request.removeFields(["authorization"])
        answer.request.setValue(value, forHTTPHeaderField: "Authorization")
        answer.usedCredential = UsedCredential(credential: credential, space: shown.protectionSpace)
        return answer
    }
}

/// A challenge is answered by its completion handler alone.
final class NoSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

#endif
