#if canImport(FoundationNetworking)

import Foundation

/// What a response does that challenges the client: which credential answers it, and where that goes.
struct Challenge: Sendable {
    /// The challenge, as a delegate is shown it.
    ///
    /// FoundationNetworking counts the credentials that were refused for each task, and each answer has a new one. It finds no
    /// stored credential, because the inner session has no storage.
    let challenge: URLAuthenticationChallenge
    private let outgoing: Outgoing
    private let received: TaskOutcome

    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - outgoing: The request that was challenged.
    ///   - received: What has arrived of the response.
    ///   - count: How many credentials the server has refused.
    ///   - storage: Where the session keeps credentials.
    init(
        _ challenge: URLAuthenticationChallenge, to outgoing: Outgoing, received: TaskOutcome,
        refusedCredentials count: Int, storage: URLCredentialStorage?
    ) {
        self.outgoing = outgoing
        self.received = received
        guard let sender = challenge.sender else {
            self.challenge = challenge
            return
        }
        let stored = challenge.proposedCredential ?? storage?.credential(for: challenge.protectionSpace)
        self.challenge = URLAuthenticationChallenge(
            protectionSpace: challenge.protectionSpace, proposedCredential: count == 0 ? stored : nil,
            previousFailureCount: count, failureResponse: challenge.failureResponse, error: challenge.error,
            sender: sender)
    }

    /// The step after the decision of the delegate.
    func nextStep(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) -> NextStep {
        guard disposition != .cancelAuthenticationChallenge else {
            return .end(.failure(.cancelled, at: outgoing.request.url))
        }
        guard let response = challenge.failureResponse else {
            // A `URLProtocol` of the caller may ask without a response.
            return .end(.failure(.userAuthenticationRequired, at: outgoing.request.url))
        }
        let credential =
            switch disposition {
            case .useCredential: credential
            case .performDefaultHandling: challenge.proposedCredential
            default: nil as URLCredential?
            }
        return NextStep(
            sending: credential.flatMap { answer(with: $0) },
            orEndWith: TaskOutcome(data: received.data, file: received.file, response: response))
    }

    /// The request with a credential, or nil if the credential must not answer the challenge: another origin asks for it, or in
    /// another way than Basic (RFC 7617), the only one that FoundationNetworking knows.
    private func answer(with credential: URLCredential) -> Outgoing? {
        let isBasic = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        // Workaround: originOfCredential
        guard isBasic, challenge.failureResponse?.url?.origin == outgoing.request.url?.origin else { return nil }
        let userAndPassword = "\(credential.user ?? ""):\(credential.password ?? "")"
        let value = "Basic \(Data(userAndPassword.utf8).base64EncodedString())"
        var answer = outgoing
        answer.request.removeFields(["authorization"])
        answer.request.setValue(value, forHTTPHeaderField: "Authorization")
        answer.usedCredential = UsedCredential(credential: credential, space: challenge.protectionSpace)
        return answer
    }
}

/// A credential that answers a challenge.
struct UsedCredential: Sendable {
    let credential: URLCredential
    let space: URLProtectionSpace

    /// Stores the credential as its persistence says, unless the server has refused it, or it is stored already.
    ///
    /// Not on the work queue: a storage may be the caller's own, and tells observers.
    func store(in storage: URLCredentialStorage?, after response: URLResponse?) {
        guard let storage, let response = response as? HTTPURLResponse, response.statusCode != 401,
            credential.persistence != .none, storage.credential(for: space) != credential
        else { return }
        // FoundationNetworking would keep another entry for an equal space.
        let known = storage.allCredentials.keys.first { $0.parts == space.parts }
        storage.set(credential, for: known ?? space)
    }
}

extension URLCredentialStorage {
    /// The default credential for a protection space, or else the first one.
    ///
    /// FoundationNetworking compares protection spaces by identity, so that it finds nothing for an equal one.
    fileprivate func credential(for space: URLProtectionSpace) -> URLCredential? {
        if let known = defaultCredential(for: space) ?? credentials(for: space)?.first?.value { return known }
        // Workaround: equalProtectionSpace
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
