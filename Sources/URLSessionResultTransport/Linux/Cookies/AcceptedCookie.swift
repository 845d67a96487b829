#if canImport(FoundationNetworking)

import Foundation

/// A cookie that the host of a response may set, and where it belongs in a storage.
struct AcceptedCookie {
    let cookie: SetCookie
    let place: CookiePlace
}

/// What a storage tells its cookies apart by.
struct CookiePlace: Equatable {
    let name: String

    /// As `HTTPCookie.domain` has it: with a dot at its beginning, it is for the hosts below it, too.
    let domain: String
    let path: String
}

extension HTTPCookie {
    var place: CookiePlace { CookiePlace(name: name, domain: domain, path: path) }

    /// How many cookies of a domain are kept (RFC 6265bis, section 5.7).
    static let mostOfDomain = 50
}

extension SetCookie {
    /// Finds out where the cookie belongs in a storage (RFC 6265, section 5.3, and RFC 6265bis for prefixes of names).
    ///
    /// - Parameter url: The URL of the response.
    /// - Returns: The cookie for a storage, or nil if the host must not set it.
    func accepted(from url: URL) -> AcceptedCookie? {
        guard let host = url.host?.lowercased(), isWhatItsNameSays(from: url) else { return nil }
        let storedDomain =
            switch domain {
            case nil: host
            case host? where !host.mayBeShared: host
            case let wider?: ".\(wider)"
            }
        // Workaround: cookieDomains
        guard host.matches(cookieDomain: storedDomain) else { return nil }
        let place = CookiePlace(name: name, domain: storedDomain, path: path ?? url.cookiePath)
        return AcceptedCookie(cookie: self, place: place)
    }

    /// Whether the cookie keeps the promise of its name, if that has a prefix.
    private func isWhatItsNameSays(from url: URL) -> Bool {
        let name = name.lowercased()
        let isSafe = isSecure && url.isForTLS
        if name.hasPrefix("__host-") { return isSafe && domain == nil && path == "/" }
        return isSafe || !name.hasPrefix("__secure-")
    }
}

extension String {
    /// Whether a cookie of a domain is for this host (RFC 6265, section 5.1.3).
    ///
    /// No host shares cookies with others by a domain without a dot inside, such as `com`, or by a part of an IP address.
    func matches(cookieDomain domain: String) -> Bool {
        guard domain.hasPrefix(".") else { return self == domain }
        return String(domain.dropFirst()).mayBeShared && ".\(self)".hasSuffix(domain)
    }

    /// Whether hosts may share cookies by this domain. The last label is a number in an IP address alone.
    fileprivate var mayBeShared: Bool {
        let labels = components(separatedBy: ".")
        return labels.count > 1 && !labels.contains("") && labels.last?.rangeOfCharacter(from: .otherThanDigits) != nil
    }
}

extension URL {
    var isForTLS: Bool { scheme?.lowercased() == "https" }

    /// The path of a cookie that names none: that of the folder (RFC 6265, section 5.1.4).
    fileprivate var cookiePath: String {
        // Workaround: cookiePath
        let folder = path(percentEncoded: true).components(separatedBy: "/").dropLast()
        return folder.count > 1 ? folder.joined(separator: "/") : "/"
    }
}

#endif
