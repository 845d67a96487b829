#if canImport(FoundationNetworking)

import Foundation

/// A proxy that speaks HTTP, and may ask for a credential (RFC 9110, section 11.7).
struct HTTPProxy {
    let host: String
    let port: Int
    private let scheme: String

    /// Is nil for a proxy that speaks another protocol, or none.
    init?(_ proxy: Proxy?) {
        // libcurl takes a host for that of an http proxy.
        guard let text = proxy?.text, let url = URLComponents(string: text.contains("://") ? text : "http://\(text)"),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, !host.isEmpty
        else { return nil }
        self.host = host
        self.scheme = scheme
        port = url.port ?? (scheme == "https" ? 443 : Self.defaultPort)
    }

    /// What `CURLOPT_PROXY` takes: a URL. libcurl before 8.8 would decode the user and the password of other options, too, again with each
    /// connection.
    func text(with credential: URLCredential) -> String {
        let parts = [credential.user, credential.password].map { part in
            (part ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return "\(scheme)://\(parts[0]):\(parts[1])@\(host.hostInURL):\(port)"
    }

    static let defaultPort = Curl.loaded?.differences.defaultPortOfProxy ?? 80

    func protectionSpace(realm: String?, authenticationMethod: String, for url: URL) -> URLProtectionSpace {
        let isForTLS = url.scheme?.lowercased() == "https"
        return URLProtectionSpace(
            proxyHost: host, port: port,
            type: isForTLS ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy, realm: realm,
            authenticationMethod: authenticationMethod)
    }
}

/// A proxy that has asked for a credential, and what libcurl answers.
struct ProxyAnswer {
    /// The proxy, with the credential.
    let text: String
    let isDigest: Bool

    /// Is nil if there is no credential, or if it is for another proxy: a redirect may have led to a URL with one of its own.
    init?(_ used: UsedCredential?, for proxy: @autoclosure () -> HTTPProxy?) {
        guard let used, let proxy = proxy(), used.space.host == proxy.host, used.space.port == proxy.port else {
            return nil
        }
        text = proxy.text(with: used.credential)
        isDigest = used.isDigest
    }
}

extension Proxy {
    /// The proxy that the environment names for a URL, as libcurl finds it. It is not used for the hosts in `no_proxy`.
    static func ofEnvironment(for url: URL) -> Proxy? {
        // `HTTP_PROXY` is not read: in a CGI program, it is the `Proxy` header field of the request.
        let ofScheme = url.scheme?.lowercased() == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let environment = ProcessInfo.processInfo.environment
        let values = (ofScheme + ["all_proxy", "ALL_PROXY"]).compactMap { environment[$0] }
        return values.first { !$0.isEmpty }.map { Proxy(text: $0) }
    }
}

#endif
