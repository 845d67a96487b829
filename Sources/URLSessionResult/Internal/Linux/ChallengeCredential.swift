#if canImport(FoundationNetworking)

import Foundation

extension URLRequest {
    /// The request with a credential, or nil if the credential must not answer the challenge.
    ///
    /// FoundationNetworking knows no other scheme than Basic (RFC 7617).
    func answering(_ challenge: URLAuthenticationChallenge, with credential: URLCredential) -> URLRequest? {
        let isBasic = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
        guard isBasic, challenge.failureResponse?.url?.origin == url?.origin else { return nil }
        let userAndPassword = "\(credential.user ?? ""):\(credential.password ?? "")"
        var request = self
        request.removeFields(["authorization"])
        request.setValue(
            "Basic \(Data(userAndPassword.utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
        return request
    }
}

extension URLAuthenticationChallenge {
    /// The challenge with the number of credentials that were refused.
    ///
    /// FoundationNetworking counts for each task, and each answer has a new one.
    ///
    /// The inner session has no storage. So the library proposes the credential.
    func afterFailures(_ count: Int, proposing storage: URLCredentialStorage?) -> URLAuthenticationChallenge {
        guard let sender else { return self }
        let proposed =
            count > 0
            ? nil
            : proposedCredential ?? storage?.credentials(for: protectionSpace)?.min { $0.key < $1.key }?.value
                ?? storage?.defaultCredential(for: protectionSpace)
        return URLAuthenticationChallenge(
            protectionSpace: protectionSpace, proposedCredential: proposed, previousFailureCount: count,
            failureResponse: failureResponse, error: error, sender: sender)
    }

    /// The stored credential for the challenge, unless the server has refused it already.
    func storedCredential(in storage: URLCredentialStorage?) -> URLCredential? {
        guard previousFailureCount == 0 else { return nil }
        return proposedCredential ?? storage?.credential(forEqualOf: protectionSpace)
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

// Workaround: `URLSession` sends a credential to the origin of the first request, also if another origin requires it after
//   a redirect
// Instead: the library sends it to the origin that requires it
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.credentialAfterRedirect
// Upstream: not reported
// May go: `answering(_:with:)`
//
// Workaround: `URLSession` finds a stored credential only with the same `URLProtectionSpace` object
// Instead: the library finds it with an equal one
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.storedCredential
// Upstream: not reported
// May go: `credential(forEqualOf:)`

#endif
