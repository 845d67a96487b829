#if canImport(FoundationNetworking)

import Foundation

extension URLSessionConfiguration {
    /// The stored cookies for the host of a request. FoundationNetworking sends all of them.
    func storedCookies(ofHostOf request: URLRequest) -> [HTTPCookie] {
        guard httpShouldSetCookies, let storage = httpCookieStorage, let url = request.url else { return [] }
        return ArrivingCookies.checkedCookies(for: url, in: storage)
    }
}

extension [HTTPCookie] {
    /// Those of a host that go with a request, in the order in which they are sent.
    func sent(with request: URLRequest) -> [HTTPCookie] {
        guard request.httpShouldHandleCookies, let url = request.url else { return [] }
        let now = Date()
        // Not `sorted`, which is compiled for each type of elements: 7 kB more, and the cookies of a host are few.
        var rest = filter { $0.isSent(to: url, at: now) }
        var sent: [HTTPCookie] = []
        while let first = rest.min(by: { $0.isSent(before: $1) }) {
            sent.append(first)
            rest = rest.filter { $0 !== first }
        }
        return sent
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

/// The cookies of a response, on their way into the storage.
///
/// FoundationNetworking has stored those of the caller's task when it read the head, if the field is spelled `Set-Cookie`,
/// which over HTTP/2 it never is. It does not respect many attributes, so its cookies are compared and corrected. The tasks of
/// the inner session store none.
struct ResponseCookies {
    let storage: HTTPCookieStorage
    let url: URL

    /// The `Set-Cookie` fields, joined to one, or nil if they are unknown, because the response was cut off.
    let field: String?

    /// When the request was sent.
    let start: Date

    /// What the storage held for the host before FoundationNetworking read a response.
    let cookiesAtStart: [HTTPCookie]

    /// Lets the storage hold what the response says, and no more.
    ///
    /// - Parameter areWanted: Whether the caller wants the cookies to be stored.
    func store(areWanted: Bool) {
        let now = Date()
        let present = storage.cookies(for: url) ?? []
        let foundationCookies = fromFoundation(present)
        // What the storage would hold without FoundationNetworking, then with the response.
        var wanted = present.filter { foundationCookies[$0] == nil }
        for cookie in cookiesAtStart where foundationCookies[cookie] != nil { wanted.append(cookie) }
        if areWanted { add(to: &wanted, at: now, comparedWith: foundationCookies) }

        for cookie in present where wanted[cookie] == nil { storage.deleteCookie(cookie) }
        let areSeveral = wanted.count > 1
        let right = present.filter { wanted[$0]?.isLike($0, inOrder: areSeveral) == true }
        for cookie in wanted where right[cookie] == nil { storage.setCookie(cookie) }
        ArrivingCookies.noteRight(right.filter { foundationCookies[$0] != nil })
    }

    /// Adds the cookies of the response.
    private func add(to wanted: inout [HTTPCookie], at now: Date, comparedWith foundationCookies: [HTTPCookie]) {
        let cookies = SetCookie.all(in: field ?? "").compactMap { $0.accepted(from: url) }
        // Then their times of creation have the order of the fields.
        let areFromFoundation = cookies.allSatisfy { foundationCookies[$0] != nil }
        for (index, accepted) in cookies.enumerated() {
            let predecessor = wanted[accepted]
            // Set meanwhile. Not a range of time: the clock may have been set back.
            if let predecessor, predecessor.creation >= start, predecessor.creation < now { continue }
            let foundationCookie = foundationCookies[accepted]
            let order = areFromFoundation ? foundationCookie?.creation : now + Double(index) * 0.000_001
            let received = ReceivedCookie<Never>(
                accepted, withValue: accepted.cookie.value(separatedFrom: foundationCookie), at: now,
                firstCreation: predecessor?.firstCreation ?? order ?? now)
            wanted = wanted.filter { $0 !== predecessor }
            if let received { wanted.append(received) }
        }
    }

    /// The cookies that FoundationNetworking has stored when it read this response.
    private func fromFoundation(_ cookies: [HTTPCookie]) -> [HTTPCookie] {
        let field = field?.withoutBlanks
        return cookies.filter { cookie in
            guard !(cookie is ReceivedCookie<Never>), cookie.creation >= start,
                cookie.properties?[.originURL] as? URL == url
            else { return false }
            // Other responses from this URL may arrive at the same time.
            guard let field else { return !ArrivingCookies.isRight(cookie) }
            return field.contains("\(cookie.name)=\(cookie.value)".withoutBlanks)
        }
    }
}

extension SetCookie {
    /// The value without the field of a neighbour that has no name, which looks like a part of the value.
    ///
    /// - Parameter foundationCookie: The cookie as FoundationNetworking has read it, from its own field.
    /// - Returns: The value.
    fileprivate func value(separatedFrom foundationCookie: HTTPCookie?) -> String {
        guard let foundationCookie, !value.hasPrefix("\""), value.hasPrefix(foundationCookie.value + Self.separator)
        else { return value }
        return foundationCookie.value
    }
}

extension String {
    fileprivate var withoutBlanks: String { components(separatedBy: .blanks).joined() }
}

extension HTTPCookie {
    /// Whether the cookie is as good as another one of the same identity.
    fileprivate func isLike(_ other: HTTPCookie, inOrder: Bool) -> Bool {
        value == other.value && isSecure == other.isSecure && isHTTPOnly == other.isHTTPOnly
            && expiresDate == other.expiresDate && (!inOrder || firstCreation == other.firstCreation)
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
