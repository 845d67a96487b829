#if canImport(FoundationNetworking)

import Foundation

/// A cookie that the library puts into a storage.
///
/// Unchecked like its superclass: neither of them changes once it is made.
final class ReceivedCookie: HTTPCookie, @unchecked Sendable {
    /// When a server set the cookie for the first time.
    fileprivate let setFirst: Date

    /// - Parameters:
    ///   - accepted: The cookie as the server describes it, and where it belongs in a storage.
    ///   - date: The time.
    ///   - firstCreation: When a server set the cookie for the first time.
    init?(_ accepted: AcceptedCookie, at date: Date, firstCreation: Date) {
        setFirst = firstCreation
        let cookie = accepted.cookie
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: accepted.place.domain, .path: accepted.place.path, .name: cookie.name, .value: cookie.value,
        ]
        if let expiry = cookie.expiry(at: date) { properties[.expires] = expiry }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        super.init(properties: properties)
    }
}

extension HTTPCookie {
    /// When the cookie was put into the storage.
    var creation: Date {
        let seconds = properties?[HTTPCookiePropertyKey("Created")] as? Double
        return seconds.map(Date.init(timeIntervalSinceReferenceDate:)) ?? .distantPast
    }

    /// When the cookie was set for the first time, as far as is known.
    var firstCreation: Date { (self as? ReceivedCookie)?.setFirst ?? creation }
}

#endif
