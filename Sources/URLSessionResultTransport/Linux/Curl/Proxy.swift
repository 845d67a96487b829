#if canImport(FoundationNetworking)

import Foundation

/// The proxy that a session's configuration names for a URL, or that it names none.
struct Proxy: Equatable {
    /// What `CURLOPT_PROXY` takes: a URL, or nothing to use no proxy, whatever the environment says.
    let text: String

    /// - Parameters:
    ///   - dictionary: The `connectionProxyDictionary` of the configuration.
    ///   - url: The URL.
    /// - Returns: The proxy, or nil if the environment names it.
    /// - Throws: `URLError.cannotConnectToHost` if the proxy cannot be written as a URL. A request must not go around its proxy.
    static func named(by dictionary: [AnyHashable: Any]?, for url: URL) throws -> Proxy? {
        guard let dictionary else { return nil }
        let settings = ProxySettings(dictionary)
        guard let server = settings.server(for: url) else { return Proxy(text: "") }
        guard let text = server.text(with: settings.userAndPassword) else {
            let message = "The proxy in connectionProxyDictionary is malformed."
            throw URLError(.cannotConnectToHost, at: url, saying: message)
        }
        return Proxy(text: text)
    }
}

/// A dictionary with the keys of CFNetwork: `kCFNetworkProxies…` and `kCFProxy…`.
private struct ProxySettings {
    private let dictionary: [AnyHashable: Any]

    init(_ dictionary: [AnyHashable: Any]) { self.dictionary = dictionary }

    private func text(_ key: String) -> String? { dictionary[key].map { "\($0)" } }

    private func isOn(_ key: String) -> Bool { text(key).map { $0 == "true" || Int($0) ?? 0 != 0 } ?? false }

    var userAndPassword: (user: String, password: String)? {
        text("kCFProxyUsernameKey").map { ($0, text("kCFProxyPasswordKey") ?? "") }
    }

    /// The proxy for a URL: that of its scheme, or else that of all schemes.
    func server(for url: URL) -> ProxyServer? {
        guard let host = url.host?.lowercased(), !excepts(host) else { return nil }
        let own =
            url.scheme?.lowercased() == "https"
            ? server("HTTPS", scheme: "http", defaultPort: "443") : server("HTTP", scheme: "http", defaultPort: "80")
        // The proxy looks up the names of hosts.
        return own ?? server("SOCKS", scheme: "socks5h", defaultPort: "1080")
    }

    private func server(_ kind: String, scheme: String, defaultPort: String) -> ProxyServer? {
        guard isOn("\(kind)Enable"), let host = text("\(kind)Proxy"), !host.isEmpty else { return nil }
        return ProxyServer(scheme: scheme, host: host, port: text("\(kind)Port") ?? defaultPort)
    }

    private func excepts(_ host: String) -> Bool {
        if isOn("ExcludeSimpleHostnames"), !host.contains("."), !host.contains(":") { return true }
        let patterns = dictionary["ExceptionsList"] as? [Any] ?? []
        return patterns.contains { HostPattern("\($0)").matches(host) }
    }
}

private struct ProxyServer {
    let scheme: String
    let host: String
    let port: String

    /// The URL, or nil if the parts make no URL: libcurl would find another proxy in it, or none.
    func text(with userAndPassword: (user: String, password: String)?) -> String? {
        guard let port = UInt16(port), port > 0, host.utf8.allSatisfy(\.isAllowedInHost) else { return nil }
        var text = "\(scheme)://"
        if let (user, password) = userAndPassword {
            // libcurl takes no control characters, and Basic has none (RFC 7617, section 2).
            guard !(user + password).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
                let user = user.addingPercentEncoding(withAllowedCharacters: .alphanumerics),
                let password = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            else { return nil }
            text += "\(user):\(password)@"
        }
        return text + "\(host.hostInURL):\(port)"
    }
}

extension String {
    /// A host as a URL has it: an address of IPv6 in brackets (RFC 3986, section 3.2.2).
    var hostInURL: String { contains(":") && !hasPrefix("[") ? "[\(self)]" : self }
}

/// Hosts that need no proxy: `example.com`, `*.example.com`, or addresses as in `169.254/16`.
private struct HostPattern {
    private let pattern: String

    init(_ pattern: String) {
        // `.example.com` is `*.example.com`.
        self.pattern = (pattern.hasPrefix(".") ? "*" : "") + pattern.lowercased()
    }

    func matches(_ host: String) -> Bool {
        if pattern.contains("/") { return isNetwork(of: host) }
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return pattern == host }
        guard host.utf8.count >= first.utf8.count + last.utf8.count, host.hasPrefix(first), host.hasSuffix(last) else {
            return false
        }
        var rest = host.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    private func isNetwork(of host: String) -> Bool {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[1]), 0...32 ~= length,
            let network = Self.address(parts[0], mayBeShort: true),
            let address = Self.address(host[...], mayBeShort: false)
        else { return false }
        return length == 0 || (network ^ address) >> (32 - length) == 0
    }

    private static func address(_ text: Substring, mayBeShort: Bool) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4 || mayBeShort && parts.count < 4 else { return nil }
        var address: UInt32 = 0
        for index in 0..<4 {
            guard let part = index < parts.count ? parts[index] : 0 else { return nil }
            address = address << 8 | UInt32(part)
        }
        return address
    }
}

extension UInt8 {
    /// Whether the byte can be in a host: no blank, no control character, and no delimiter, with which the URL would have another host.
    fileprivate var isAllowedInHost: Bool {
        self > 0x20 && self != 0x7F && !Self.delimiters.contains(self)
    }

    private static let delimiters = Array(#"/\@?#"#.utf8)
}

#endif
