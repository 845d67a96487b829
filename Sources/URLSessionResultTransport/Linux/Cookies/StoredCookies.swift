#if canImport(FoundationNetworking)

import Foundation

extension [HTTPCookie] {
    /// Those of a host that go with a request, in the order in which they are sent.
    func sent(with request: URLRequest) -> [HTTPCookie] {
        guard request.httpShouldHandleCookies, let url = request.url else { return [] }
        let now = Date()
        return filter { $0.isSent(to: url, at: now) }.sorted { $0.isSent(before: $1) }
    }
}

extension HTTPCookie {
    /// Whether the cookie goes to a URL.
    fileprivate func isSent(to url: URL, at date: Date) -> Bool {
        guard let host = url.host?.lowercased(), host.matches(cookieDomain: domain) else { return false }
        if isSecure, !url.isForTLS { return false }
        if let expiresDate, expiresDate <= date { return false }
        return matches(path: url.path(percentEncoded: true))
    }

    /// Whether the path of a URL is the path of the cookie or below it (RFC 6265, section 5.1.4).
    private func matches(path requested: String) -> Bool {
        let requested = requested.isEmpty ? "/" : requested
        return requested == path || requested.hasPrefix(path.hasSuffix("/") ? path : "\(path)/")
    }

    /// Whether the cookie stands before another one in a request: those with longer paths first, then those that were set
    /// first (RFC 6265, section 5.4).
    fileprivate func isSent(before other: HTTPCookie) -> Bool {
        let length = path.utf8.count
        let otherLength = other.path.utf8.count
        return length == otherLength ? firstCreation < other.firstCreation : length > otherLength
    }
}

#endif
