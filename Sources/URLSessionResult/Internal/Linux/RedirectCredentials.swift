#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLRequest {
    /// Turns the request that FoundationNetworking would send after a redirect into one that may be sent.
    ///
    /// A change of origin removes credentials, as the WHATWG fetch standard does ("HTTP-redirect fetch").
    ///
    /// - Parameters:
    ///   - source: The URL that redirects.
    ///   - configuration: The configuration of the session.
    /// - Returns: The request to send.
    func redirected(from source: URL?, by configuration: URLSessionConfiguration) -> URLRequest {
        guard let url else { return self }
        var request = self
        if url.origin != source?.origin {
            request.removeCredentialFields(addedBy: configuration)
            request.url = url.withoutUserInfo(inheritedFrom: source)
        }
        request.addStoredCookies(of: configuration)
        return request
    }

    private mutating func removeCredentialFields(addedBy configuration: URLSessionConfiguration) {
        let addedFields = (configuration.httpAdditionalHeaders ?? [:]).keys.map { "\($0)".lowercased() }
        for field in ["authorization", "cookie", "proxy-authorization"] {
            // The configuration adds its fields to every request without them. libcurl leaves out a blank field.
            setValue(addedFields.contains(field) ? " " : nil, forHTTPHeaderField: field)
        }
    }

    /// Adds the cookies that are stored for the new URL. FoundationNetworking sends the request of a delegate as it is.
    private mutating func addStoredCookies(of configuration: URLSessionConfiguration) {
        guard configuration.httpShouldSetCookies, let url else { return }
        let cookies = configuration.httpCookieStorage?.cookies(for: url) ?? []
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}

extension URL {
    /// The scheme, host and port (RFC 6454, section 4).
    var origin: [String?] {
        let scheme = scheme?.lowercased()
        let defaultPort = scheme == "https" ? 443 : 80
        return [scheme, host?.lowercased(), "\(port ?? defaultPort)"]
    }

    /// The URL without user and password if a `Location` without a scheme inherited them.
    fileprivate func withoutUserInfo(inheritedFrom source: URL?) -> URL {
        guard user != nil, user == source?.user, var parts = URLComponents(string: absoluteString) else { return self }
        parts.user = nil
        parts.password = nil
        return parts.url ?? self
    }
}

#endif
