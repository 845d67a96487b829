#if canImport(FoundationNetworking)

import Foundation

extension HTTPURLResponse {
    /// The challenge of a 401 (RFC 9110, section 11.6.1): that of Digest (RFC 7616), or else that of Basic (RFC 7617). No delegate is
    /// asked about another scheme.
    var challenge: URLAuthenticationChallenge? {
        guard statusCode == 401, let url, let host = url.host,
            let (method, realm) = strongestScheme(in: "WWW-Authenticate")
        else { return nil }
        return challenge(
            for: URLProtectionSpace(
                host: host, port: url.origin.port, protocol: url.scheme, realm: realm, authenticationMethod: method))
    }

    /// The challenge of a proxy (RFC 9110, section 11.7.1).
    func challenge(of proxy: @autoclosure () -> HTTPProxy?) -> URLAuthenticationChallenge? {
        guard statusCode == 407, let url, let (method, realm) = strongestScheme(in: "Proxy-Authenticate"),
            let proxy = proxy()
        else { return nil }
        return challenge(for: proxy.protectionSpace(realm: realm, authenticationMethod: method, for: url))
    }

    func challenge(for space: URLProtectionSpace) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: self, error: nil,
            sender: NoSender())
    }

    private func strongestScheme(in field: String) -> (authenticationMethod: String, realm: String)? {
        value(forHTTPHeaderField: field).flatMap { OfferedScheme.all(in: $0).strongest }
    }
}

extension [OfferedScheme] {
    fileprivate var strongest: (authenticationMethod: String, realm: String)? {
        // libcurl knows the first Digest alone.
        if let digest = first(where: { $0.name == "digest" }), digest.isDigestOfLibcurl,
            let realm = digest.parameters["realm"]
        {
            return (NSURLAuthenticationMethodHTTPDigest, realm)
        }
        let realms = lazy.filter { $0.name == "basic" }.compactMap { $0.parameters["realm"] }
        return realms.first.map { (NSURLAuthenticationMethodHTTPBasic, $0) }
    }
}

extension OfferedScheme {
    private static let hashes: Set = ["md5", "md5-sess", "sha-256", "sha-256-sess"]

    /// Whether libcurl can answer. Before 8.11, it knew no other hashes.
    fileprivate var isDigestOfLibcurl: Bool {
        parameters["nonce"] != nil && Self.hashes.contains(parameters["algorithm"]?.lowercased() ?? "md5")
    }
}

#endif
