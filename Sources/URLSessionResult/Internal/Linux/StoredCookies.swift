#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSessionConfiguration {
    /// The stored cookies for a request, in the order in which they are sent (RFC 6265, section 5.4).
    ///
    /// `HTTPCookieStorage.cookies(for:)` of FoundationNetworking looks at the domain alone.
    func storedCookies(for request: URLRequest) -> [HTTPCookie] {
        guard request.httpShouldHandleCookies, let url = request.url else { return [] }
        let now = Date()
        return storedCookies(ofHostIn: url).filter { $0.isSent(to: url, at: now) }
            .sorted { $0.path.count > $1.path.count }
    }

    /// Whether FoundationNetworking may send a cookie with a request that is not for it.
    ///
    /// Looking at all cookies costs less than to look for those of a host.
    func mayAddWrongCookies(to request: URLRequest) -> Bool {
        guard httpShouldSetCookies, let cookies = httpCookieStorage?.cookies, !cookies.isEmpty else { return false }
        guard request.httpShouldHandleCookies else { return true }
        return cookies.contains { $0.isSecure || $0.path != "/" || $0.expiresDate != nil }
    }

    /// The cookies that FoundationNetworking sends to a URL.
    func storedCookies(ofHostIn url: URL) -> [HTTPCookie] {
        guard httpShouldSetCookies else { return [] }
        return httpCookieStorage?.cookies(for: url) ?? []
    }

    /// Stores the cookies of a response, where FoundationNetworking has not done so or not well.
    ///
    /// FoundationNetworking stores a cookie when it reads the field, provided that the field is spelled `Set-Cookie`,
    /// which over HTTP/2 it never is. It ignores `Max-Age` and, beside it, `Expires`, too, and a `Secure` that has a value.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - start: When the task was made. A cookie that was stored since then is newer, unless it is the same.
    func storeCookies(of response: HTTPURLResponse, since start: Date) {
        guard httpCookieAcceptPolicy != .never, let storage = httpCookieStorage,
            let field = response.value(forHTTPHeaderField: "Set-Cookie"), let url = response.url
        else { return }
        let present = storage.cookies(for: url) ?? []
        let received = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.withPlainSecure], for: url)
        let cookies = received.filter { cookie in
            guard let same = present.first(where: { $0.identity == cookie.identity }) else { return true }
            guard same.value == cookie.value else { return !same.isCreated(after: start) }
            let becomesSecure = cookie.isSecure && !same.isSecure
            return cookie.maximumAge != nil || becomesSecure
        }
        storage.setCookies(cookies.map(\.withMaximumAge), for: url, mainDocumentURL: nil)
    }
}

extension String {
    /// A `Set-Cookie` field in which no `Secure` has a value. It means the same, because the value is ignored (RFC 6265,
    /// section 5.2.5).
    fileprivate var withPlainSecure: String {
        let parts = components(separatedBy: ";")
        // The first part is the name and the value of the cookie, and a cookie may be called `secure`.
        let attributes = parts.dropFirst().map(\.withoutValueOfSecure)
        return (parts.prefix(1) + attributes).joined(separator: ";")
    }

    /// An attribute of a cookie, without its value if it is `Secure`.
    private var withoutValueOfSecure: String {
        guard let equals = firstIndex(of: "="),
            self[..<equals].trimmingCharacters(in: .whitespaces).lowercased() == "secure"
        else { return self }
        // The fields of several cookies are joined by commas.
        let nextCookie = self[equals...].drop { $0 != "," }
        return nextCookie.contains("=") ? "Secure" + nextCookie : "Secure"
    }
}

extension HTTPCookie {
    /// Whether the cookie goes to a URL of its domain.
    fileprivate func isSent(to url: URL, at now: Date) -> Bool {
        if isSecure, url.scheme?.lowercased() != "https" { return false }
        if let expiresDate, expiresDate <= now { return false }
        return matches(path: url.path(percentEncoded: true))
    }

    /// Whether the path of a URL is the path of the cookie or below it (RFC 6265, section 5.1.4).
    private func matches(path requested: String) -> Bool {
        let requested = requested.isEmpty ? "/" : requested
        guard requested.hasPrefix(path) else { return false }
        return requested.count == path.count || path.hasSuffix("/") || requested.dropFirst(path.count).hasPrefix("/")
    }

    /// A storage holds one cookie for each domain, path and name.
    fileprivate var identity: [String] { [domain, path, name] }

    fileprivate func isCreated(after date: Date) -> Bool {
        let created = properties?[HTTPCookiePropertyKey("Created")] as? Double
        return (created ?? 0) > date.timeIntervalSinceReferenceDate
    }

    /// The value of `Max-Age` in seconds.
    fileprivate var maximumAge: Double? {
        (properties?[.maximumAge] as? String).flatMap(Int.init).map(Double.init)
    }

    /// The cookie with the expiry that `Max-Age` says, if there is one (RFC 6265, section 5.3).
    fileprivate var withMaximumAge: HTTPCookie {
        guard let maximumAge, var properties else { return self }
        properties[.maximumAge] = nil
        properties[.expires] = Date(timeIntervalSinceNow: maximumAge)
        // Read from a string, given back as a number.
        properties[.secure] = isSecure ? "TRUE" : nil
        properties[HTTPCookiePropertyKey("HttpOnly")] = isHTTPOnly ? "TRUE" : nil
        return HTTPCookie(properties: properties) ?? self
    }
}

// Workaround: `URLSession` ignores `Max-Age` of a cookie, and a `Secure` that has a value, such as `Secure=true`
// Instead: the library respects both
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.attributes
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/3301
// May go: `storeCookies(of:since:)`
//
// Workaround: `URLSession` does not store the cookies of HTTP/2
// Instead: the library stores them
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `storeCookies(of:since:)`

#endif
