#if canImport(FoundationNetworking)

import Foundation

extension URLRequest {
    /// Removes what a redirect must not take to another origin.
    mutating func removeCredentials(addedBy configuration: URLSessionConfiguration) {
        removeFields(fieldsOfOrigin)
        hideFields(fieldsOfOrigin, addedBy: configuration)
    }

    /// Keeps the session from adding header fields of its configuration.
    ///
    /// It adds them to every request without them. libcurl leaves out a blank field.
    private mutating func hideFields(_ names: [String], addedBy configuration: URLSessionConfiguration) {
        guard let fields = configuration.httpAdditionalHeaders else { return }
        for field in fields {
            let name = "\(field.key)".lowercased()
            if names.contains(name) { setValue(" ", forHTTPHeaderField: name) }
        }
    }
}

/// The header fields that are for one origin alone (RFC 9110, section 15.4; WHATWG Fetch, "HTTP-redirect fetch").
private let fieldsOfOrigin = ["authorization", "cookie", "host", "proxy-authorization"]

extension URL {
    /// The scheme, host and port (RFC 6454, section 4).
    var origin: [String?] {
        let scheme = scheme?.lowercased()
        let defaultPort = scheme == "https" ? 443 : 80
        return [scheme, host?.lowercased(), "\(port ?? defaultPort)"]
    }
}

// Workaround: `URLSession` sends every header field to another origin
// Instead: the library removes `Authorization`, `Cookie`, `Host` and `Proxy-Authorization` when the origin changes
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.credentialsAtOtherOrigin
// Upstream: not reported
// May go: this file

#endif
