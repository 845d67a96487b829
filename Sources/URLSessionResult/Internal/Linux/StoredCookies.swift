#if canImport(FoundationNetworking)

import Foundation

extension URLSessionConfiguration {
    /// The stored cookies for the host of a request. FoundationNetworking sends all of them.
    func storedCookies(ofHostOf request: URLRequest) -> [HTTPCookie] {
        guard httpShouldSetCookies, let storage = httpCookieStorage, let url = request.url else { return [] }
        return storage.cookies(for: url) ?? []
    }
}

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

extension URLRequest {
    /// Sets the `Cookie` field, unless there are no cookies.
    mutating func setCookies(_ cookies: [HTTPCookie]) {
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}

/// The cookies of a response, on their way into the storage. The tasks of the inner session store none.
struct ResponseCookies {
    let storage: HTTPCookieStorage
    let url: URL

    /// The `Set-Cookie` fields, joined to one.
    let field: String

    /// When the request was sent.
    let start: Date

    func store() {
        let now = Date()
        for (index, accepted) in SetCookie.all(in: field).compactMap({ $0.accepted(from: url) }).enumerated() {
            let predecessor = (storage.cookies(for: url) ?? [])[accepted]
            // Set meanwhile. Not a range of time: the clock may have been set back.
            if let predecessor, predecessor.creation >= start, predecessor.creation < now { continue }
            let received = ReceivedCookie(
                accepted, withValue: accepted.cookie.value, at: now,
                // Then their times of creation have the order of the fields.
                firstCreation: predecessor?.firstCreation ?? now + Double(index) * 0.000_001)
            if let received { storage.setCookie(received) }
        }
    }
}

// Workaround: `URLSession` ignores `Max-Age` of a cookie, and a `Secure` that has a value, such as `Secure=true`
// Instead: the library respects both
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.attributes
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/3301
// May go: this file
//
// Workaround: `URLSession` stores a cookie for `Domain=com`, for a part of an IP address, and one whose name begins with
//   `__Host-` or `__Secure-` and that is not what the name says
// Instead: the library stores none of these
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.wrongDomain
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` takes `/` for the path of a cookie that names none
// Instead: the library takes the folder of the URL
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.defaultPath
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` does not store the cookies of HTTP/2
// Instead: the library stores them
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` stores the cookies of a response to a request whose `httpShouldHandleCookies` is `false`
// Instead: the library removes them
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.unhandledCookies
// Upstream: not reported
// May go: this file

#endif
