#if canImport(FoundationNetworking)

import Foundation

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
            request.removeCredentials(addedBy: configuration)
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
    mutating func removeFields(_ names: [String]) {
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

// Workaround: `URLSession` turns a HEAD into a GET after a 303
// Instead: the library keeps the HEAD
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.headAfterRedirect
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` keeps `Content-Type` when a POST becomes a GET
// Instead: the library removes the fields that describe a body
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.fieldsOfBody
// Upstream: not reported
// May go: this file

#endif
