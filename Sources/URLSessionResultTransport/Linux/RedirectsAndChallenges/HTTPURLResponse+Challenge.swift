#if canImport(FoundationNetworking)

import Foundation

extension HTTPURLResponse {
    /// The challenges of a 401 (RFC 9110, section 11.6.1), the strongest first: that of Digest (RFC 7616), and that of Basic (RFC 7617).
    /// No delegate is asked about another scheme.
    var challenges: [URLAuthenticationChallenge] {
        guard statusCode == 401, let url, let host = url.host else { return [] }
        return answerableSchemes(in: "WWW-Authenticate").map { method, realm in
            challenge(
                for: URLProtectionSpace(
                    host: host, port: url.origin.port, protocol: url.scheme, realm: realm, authenticationMethod: method)
            )
        }
    }

    /// The challenges of a proxy (RFC 9110, section 11.7.1), the strongest first.
    func challenges(of proxy: @autoclosure () -> HTTPProxy?) -> [URLAuthenticationChallenge] {
        guard statusCode == 407, let url, let proxy = proxy() else { return [] }
        return answerableSchemes(in: "Proxy-Authenticate").map { method, realm in
            challenge(for: proxy.protectionSpace(realm: realm, authenticationMethod: method, for: url))
        }
    }

    func challenge(for space: URLProtectionSpace) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: self, error: nil,
            sender: NoSender())
    }

    private func answerableSchemes(in field: String) -> [(authenticationMethod: String, realm: String)] {
        value(forHTTPHeaderField: field).map { OfferedScheme.all(in: $0).answerable } ?? []
    }
}

extension [OfferedScheme] {
    /// The strongest first.
    fileprivate var answerable: [(authenticationMethod: String, realm: String)] {
        // libcurl knows the first Digest alone.
        let digest = first { $0.name == "digest" }.flatMap { $0.isDigestOfLibcurl ? $0.parameters["realm"] : nil }
        let basic = lazy.filter { $0.name == "basic" }.compactMap { $0.parameters["realm"] }.first
        return [(NSURLAuthenticationMethodHTTPDigest, digest), (NSURLAuthenticationMethodHTTPBasic, basic)]
            .compactMap { method, realm in realm.map { (method, $0) } }
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
