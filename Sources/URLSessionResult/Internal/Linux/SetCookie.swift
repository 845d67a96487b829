#if canImport(FoundationNetworking)

import Foundation

/// A cookie as a server describes it in a `Set-Cookie` field (RFC 6265, section 5.2).
struct SetCookie {
    let name: String
    var value: String
    private(set) var attributes = Attributes()

    struct Attributes {
        var expires: Date?

        /// In seconds. It matters more than `expires`.
        var maximumAge: TimeInterval?

        /// In lower case and without a dot at its beginning. Without one, the cookie is for the host of the response alone.
        var domain: String?

        /// Nil for the folder of the URL.
        var path: String?
        var isSecure = false
        var isHTTPOnly = false
    }

    /// - Parameter field: The field. It describes no cookie if it has no name, a control character, or more than 4096 bytes
    ///   of name and value (RFC 6265bis, section 5.6).
    init?(_ field: String) {
        let parts = field.parts(at: ";")
        let pair = parts[0].parts(at: "=", atMost: 2)
        guard pair.count == 2, !pair[0].isEmpty, pair[0].utf8.count + pair[1].utf8.count <= 4096,
            !field.unicodeScalars.contains(where: \.isControl)
        else { return nil }
        name = pair[0]
        value = pair[1]
        for attribute in parts.dropFirst() { attributes.read(attribute) }
    }

    /// The cookies of a field into which `URLSession` has joined several, with a comma and a space.
    ///
    /// A value may hold the same, as a date does. So a comma and a space separate two cookies if a name and `=` follow, and
    /// not inside quotes.
    static func all(in joinedFields: String) -> [SetCookie] {
        let fields = joinedFields.components(separatedBy: separator).reduce(into: [String]()) { fields, part in
            if let last = fields.last, last.mayGoOn(with: part) {
                fields[fields.count - 1] = last + separator + part
            } else {
                fields.append(part)
            }
        }
        return fields.compactMap(SetCookie.init)
    }

    /// What `URLSession` writes between fields of one name.
    static let separator = ", "
}

extension SetCookie.Attributes {
    /// Reads an attribute. The last one of a name counts.
    fileprivate mutating func read(_ attribute: String) {
        let pair = attribute.parts(at: "=", atMost: 2)
        let value = pair.count == 2 ? pair[1] : ""
        switch pair[0].lowercased() {
        case "expires": expires = Date(cookieDate: value) ?? expires
        case "max-age": maximumAge = TimeInterval(maximumAge: value) ?? maximumAge
        case "domain" where !value.isEmpty: domain = value.withoutDotAtBeginning.lowercased()
        case "path": path = value.hasPrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }
}

extension String {
    /// The parts between separators, without white space around them.
    ///
    /// A separator counts as a scalar. With a combining mark after it, it would be another `Character`.
    fileprivate func parts(at separator: Unicode.Scalar, atMost count: Int = .max) -> [String] {
        unicodeScalars.split(separator: separator, maxSplits: count - 1, omittingEmptySubsequences: false)
            .map { String($0).trimmingCharacters(in: .blanks) }
    }

    /// Whether the field of a cookie goes on after a comma and a space.
    fileprivate func mayGoOn(with next: String) -> Bool {
        let pair = parts(at: ";")[0].parts(at: "=", atMost: 2)
        // The name of a cookie holds no separator.
        guard pair.count == 2 else { return false }
        if pair[1].hasOpenQuote, next.contains("\"") { return true }
        let nextPair = next.parts(at: ";")[0].parts(at: "=", atMost: 2)
        return nextPair.count < 2 || nextPair[0].unicodeScalars.contains(where: CharacterSet.blanks.contains)
    }

    private var hasOpenQuote: Bool { hasPrefix("\"") && !dropFirst().contains("\"") }

    fileprivate var withoutDotAtBeginning: String { hasPrefix(".") ? String(dropFirst()) : self }
}

extension TimeInterval {
    /// The seconds of a `Max-Age`, or nil if it is no whole number (RFC 6265, section 5.2.2).
    fileprivate init?(maximumAge text: String) {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension CharacterSet {
    fileprivate static let blanks = CharacterSet(charactersIn: " \t")
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { (value < 0x20 && self != "\t") || value == 0x7F }
}

// Part of: StoredCookies

#endif
