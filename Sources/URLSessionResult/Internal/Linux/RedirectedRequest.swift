#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLRequest {
    /// The request that follows a redirect of this one.
    ///
    /// FoundationNetworking proposes one, too. That one goes to a wrong URL if `Location` is relative, makes a GET of
    /// every HEAD after a 303, and takes all header fields along to any origin (`_HTTPURLProtocol.redirectRequest`).
    ///
    /// - Parameters:
    ///   - response: The redirect.
    ///   - configuration: The configuration of the session.
    /// - Returns: The request, or nil if `Location` is malformed.
    func redirected(by response: HTTPURLResponse, configuration: URLSessionConfiguration) -> URLRequest? {
        guard let target = response.redirectTarget else { return nil }
        var request = self
        request.url = target
        if becomesGET(after: response.statusCode) {
            request.httpMethod = "GET"
            request.httpBody = nil
            request.removeFields(fieldsOfBody)
        }
        if target.origin != response.url?.origin {
            request.removeFields(fieldsOfOrigin)
            request.hideFields(fieldsOfOrigin, addedBy: configuration)
        }
        return request
    }

    /// Whether a redirect asks for a GET in place of this request (RFC 9110, section 15.4).
    ///
    /// A POST becomes a GET after 301 and 302, as it does in browsers.
    private func becomesGET(after statusCode: Int) -> Bool {
        switch statusCode {
        case 301, 302: httpMethod == "POST"
        case 303: httpMethod != "GET" && httpMethod != "HEAD"
        default: false
        }
    }

    /// Removes header fields by their lowercased names. A request may have a field in several capitalizations.
    private mutating func removeFields(_ names: Set<String>) {
        allHTTPHeaderFields = allHTTPHeaderFields?.filter { !names.contains($0.key.lowercased()) }
    }

    /// Keeps the session from adding header fields of its configuration.
    ///
    /// It adds them to every request without them. libcurl leaves out a blank field.
    private mutating func hideFields(_ names: Set<String>, addedBy configuration: URLSessionConfiguration) {
        for field in configuration.httpAdditionalHeaders ?? [:] {
            let name = "\(field.key)".lowercased()
            if names.contains(name) { setValue(" ", forHTTPHeaderField: name) }
        }
    }
}

/// The header fields that are for one origin alone (RFC 9110, section 15.4; WHATWG Fetch, "HTTP-redirect fetch").
private let fieldsOfOrigin: Set = ["authorization", "cookie", "host", "proxy-authorization"]

/// The header fields that describe a body (RFC 9110, section 15.4).
private let fieldsOfBody: Set = [
    "content-encoding", "content-language", "content-length", "content-location", "content-type", "digest",
    "last-modified", "transfer-encoding",
]

extension URL {
    /// The scheme, host and port (RFC 6454, section 4).
    var origin: [String?] {
        let scheme = scheme?.lowercased()
        let defaultPort = scheme == "https" ? 443 : 80
        return [scheme, host?.lowercased(), "\(port ?? defaultPort)"]
    }
}

#endif
