#if canImport(FoundationNetworking)

import Foundation

/// A credential that answers a challenge.
struct UsedCredential: Sendable {
    let credential: URLCredential
    let space: URLProtectionSpace

    var isDigest: Bool { space.authenticationMethod == NSURLAuthenticationMethodHTTPDigest }

    /// The credential if libcurl answers the challenge. A Digest answer is not written into the request.
    var digestCredential: URLCredential? { isDigest ? credential : nil }

    /// Stores the credential as its persistence says, unless the server has rejected it, or it is stored already.
    ///
    /// Not on the event loop: a storage may be the caller's own, and tells observers.
    func store(in storage: URLCredentialStorage?, after response: URLResponse?) {
        let refusal = space.isProxy() ? 407 : 401
        guard let storage, let response = response as? HTTPURLResponse, response.statusCode != refusal,
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
    func credential(for space: URLProtectionSpace) -> URLCredential? {
        // Workaround: equalProtectionSpace
        let known = allCredentials.keys.first { $0.parts == space.parts } ?? space
        return defaultCredential(for: known) ?? credentials(for: known)?.min { $0.key < $1.key }?.value
    }
}

extension URLProtectionSpace {
    /// The properties that make two protection spaces equal.
    fileprivate var parts: [String?] {
        [host.lowercased(), "\(port)", scheme, proxyType, realm, authenticationMethod]
    }

    /// The constants for it have values of their own on Linux.
    private var scheme: String? {
        switch `protocol` {
        case NSURLProtectionSpaceHTTP: "http"
        case NSURLProtectionSpaceHTTPS: "https"
        default: `protocol`?.lowercased()
        }
    }
}

#endif
