#if canImport(FoundationNetworking)

import Foundation

/// A response that asks for a credential: what a delegate is asked, and what is sent after its answer.
struct Challenge: Sendable {
    /// What the delegate is shown: with the stored credential, and with the number of those that were rejected.
    ///
    /// The load knows neither: it has no storage, and sends one request.
    let shown: URLAuthenticationChallenge
    private let prepared: PreparedRequest
    private let refusedCount: Int

    /// How many credentials a server may refuse, one after the other.
    private static let mostRefusedCredentials = 20

    /// Whether the delegate is asked again. There is a limit, because a delegate may give the same rejected credential each time.
    var mayBeAnswered: Bool { refusedCount < Self.mostRefusedCredentials }

    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - prepared: The request that was challenged.
    ///   - storage: Where the session keeps credentials.
    init(
        _ challenge: URLAuthenticationChallenge, to prepared: PreparedRequest, storage: URLCredentialStorage?
    ) {
        self.prepared = prepared
        let isOfProxy = challenge.protectionSpace.isProxy()
        let count = isOfProxy ? prepared.proxyAnswerCount : prepared.answerCount
        refusedCount = count
        let stored = challenge.proposedCredential ?? storage?.credential(for: challenge.protectionSpace)
        shown = URLAuthenticationChallenge(
            protectionSpace: challenge.protectionSpace, proposedCredential: count == 0 ? stored : nil,
            previousFailureCount: count, failureResponse: challenge.failureResponse, error: challenge.error,
            sender: challenge.sender ?? NoSender())
    }

    /// The request after the decision of the delegate.
    ///
    /// - Parameters:
    ///   - disposition: What the delegate wants.
    ///   - credential: Its credential.
    /// - Returns: The request, or nil if no credential answers the challenge.
    /// - Throws: The error that the transfer ends with.
    func next(
        _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
    ) throws -> PreparedRequest? {
        guard disposition != .cancelAuthenticationChallenge else {
            throw URLError(.cancelled, at: prepared.request.url)
        }
        guard shown.failureResponse != nil else {
            // A `URLProtocol` of the caller may ask without a response.
            throw URLError(.userAuthenticationRequired, at: prepared.request.url)
        }
        let credential =
            switch disposition {
            case .useCredential: credential
            case .performDefaultHandling: shown.proposedCredential
            default: nil as URLCredential?
            }
        return credential.flatMap { answer(with: $0) }
    }

    /// The request with a credential, or nil if the credential must not answer the challenge: another origin asks for it, or in
    /// another way than Basic (RFC 7617) and Digest (RFC 7616).
    private func answer(with credential: URLCredential) -> PreparedRequest? {
        let used = UsedCredential(credential: credential, space: shown.protectionSpace)
        if shown.protectionSpace.isProxy() {
            return credential.isWithoutControlCharacters ? prepared.answered(forProxyBy: used) : nil
        }
        // Workaround: originOfCredential
        guard shown.failureResponse?.url?.origin == prepared.request.url?.origin else { return nil }
        var request = prepared.request
        request.removeFields(["authorization"])
        switch shown.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic:
            request.setValue(credential.basicAuthorization, forHTTPHeaderField: "Authorization")
        case NSURLAuthenticationMethodHTTPDigest:
            // libcurl answers (`UsedCredential.digestCredential`).
            guard credential.isWithoutControlCharacters else { return nil }
        default:
            return nil
        }
        return prepared.answered(by: used, in: request)
    }
}

extension URLCredential {
    fileprivate var basicAuthorization: String {
        let userAndPassword = "\(user ?? ""):\(password ?? "")"
        return "Basic \(Data(userAndPassword.utf8).base64EncodedString())"
    }

    /// The user's name is put into a header field as it is.
    fileprivate var isWithoutControlCharacters: Bool {
        !"\(user ?? "")\(password ?? "")".unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
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
