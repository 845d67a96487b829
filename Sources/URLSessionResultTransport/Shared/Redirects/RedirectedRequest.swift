import Foundation

// The request that follows a redirect. Every platform needs a part of it: Linux the whole, Apple's platforms `removeSecrets(of:)`,
// the stub of tests the whole on both.

extension URLRequest {
    /// How many redirects are followed, one after the other. FoundationNetworking has the same limit.
    package static let mostRedirects = 20

    /// Finds the request that follows a redirect of this one (RFC 9110, section 15.4).
    ///
    /// - Parameters:
    ///   - response: The response that redirects.
    ///   - additionalFields: The names of the header fields that the session adds to each request, in lower case. None where
    ///     `PreparedRequest.isElsewhere` keeps them away.
    /// - Returns: The request, or nil if `Location` is missing or malformed.
    package func redirected(
        by response: HTTPURLResponse, inSessionAdding additionalFields: [String] = []
    ) -> URLRequest? {
        guard let target = response.redirectTarget else { return nil }
        var next = self
        next.url = target
        if becomesGET(after: response.statusCode) {
            next.httpMethod = "GET"
            next.httpBody = nil
            // Workaround: fieldsOfBody
            next.removeFields(fieldsOfBody)
        }
        // Workaround: secretsAtOtherOrigin
        if target.origin != response.url?.origin { next.removeCredentials(hiding: additionalFields) }
        return next
    }

    /// A POST becomes a GET after 301 and 302, as it does in browsers.
    private func becomesGET(after statusCode: Int) -> Bool {
        switch statusCode {
        case 301, 302: httpMethod == "POST"
        // Workaround: headAfterRedirect
        case 303: httpMethod != "GET" && httpMethod != "HEAD"
        default: false
        }
    }

    /// Removes what must not go to another origin. A field that the session adds to each request without it is hidden by a blank:
    /// such a field is not sent.
    private mutating func removeCredentials(hiding additionalFields: [String]) {
        removeFields(fieldsOfOrigin)
        for name in additionalFields where fieldsOfOrigin.contains(name) { setValue(" ", forHTTPHeaderField: name) }
    }

    /// Removes what must not go to another origin, unless it differs from that of another request.
    mutating func removeCredentials(of other: URLRequest) {
        removeFields(fieldsOfOrigin.filter { value(forHTTPHeaderField: $0) == other.value(forHTTPHeaderField: $0) })
    }

    /// Removes header fields by their names in lower case. A request may have a field in several capitalizations.
    package mutating func removeFields(_ names: [String]) {
        for (name, _) in allHTTPHeaderFields ?? [:] where names.contains(name.lowercased()) {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

/// The header fields that describe a body (RFC 9110, section 15.4).
private let fieldsOfBody = [
    "content-encoding", "content-language", "content-length", "content-location", "content-type", "digest",
    "last-modified", "transfer-encoding",
]

/// The header fields that are for one origin alone (RFC 9110, section 15.4; WHATWG Fetch, "HTTP-redirect fetch").
let fieldsOfOrigin = ["authorization", "cookie", "host", "proxy-authorization"]

extension URLSessionConfiguration {
    /// The names of the header fields that are added to each request, in lower case.
    package var namesOfAdditionalFields: [String] {
        (httpAdditionalHeaders ?? [:]).keys.map { "\($0)".lowercased() }
    }
}

// MARK: - Secrets

/// Which header fields a redirect takes along to another origin.
package enum RedirectedFields: Sendable {
    /// All except credentials and cookies, as Apple's `URLSession` does.
    case allButCredentials

    /// Those that describe the wanted content. Any other may be a secret, such as `X-Api-Key`.
    case descriptive

    /// The rule for the tasks that this Swift task makes.
    ///
    /// A task-local value, because the functions that make the tasks may be the caller's own.
    @TaskLocal package static var current = RedirectedFields.allButCredentials
}

extension URLRequest {
    /// Removes the header fields that this request has taken over from another one and that may be secret, if its origin is not
    /// that of the other.
    package mutating func removeSecrets(of other: URLRequest) {
        // Equal URLs are the usual case, and cheaper to compare.
        guard url != other.url, url?.origin != other.url?.origin else { return }
        for (name, value) in other.allHTTPHeaderFields ?? [:]
        where !name.isDescriptive && self.value(forHTTPHeaderField: name) == value {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension String {
    /// Whether a header field of this name describes the wanted content.
    fileprivate var isDescriptive: Bool {
        let name = lowercased()
        return ["cache-control", "last-event-id", "range", "user-agent"].contains(name)
            || ["accept", "content-", "if-"].contains { name.hasPrefix($0) }
    }
}

// MARK: - Origins

/// The scheme, the host and the port of a URL (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    private let scheme: String?
    private let host: String?
    let port: Int

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
