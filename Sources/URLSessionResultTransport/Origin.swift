import Foundation

/// The scheme, the host and the port of a URL (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    private let scheme: String?
    private let host: String?
    private let port: Int

    package init(of url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension URL {
    package var origin: Origin { Origin(of: self) }

    /// Whether the scheme is that of HTTP, with or without TLS, in any capitalization.
    package var isForHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
