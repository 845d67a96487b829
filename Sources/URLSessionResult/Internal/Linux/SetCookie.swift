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

    /// The cookies of several fields, which `URLSession` has joined with a comma and a space.
    static func all(in joinedFields: String) -> [SetCookie] {
        let parts = joinedFields.components(separatedBy: separator)
        let fields = parts.reduce(into: [SeparatedField]()) { fields, part in
            if fields.last?.goesOn(with: part) == true {
                fields[fields.count - 1].append(part)
            } else {
                fields.append(SeparatedField(part))
            }
        }
        return fields.compactMap { SetCookie($0.text) }
    }

    /// What `URLSession` writes between fields of one name.
    static let separator = ", "
}

/// A field that was joined with others.
///
/// A value may hold a comma and a space, as a date does. So they separate two fields if a name and `=` follow, and not inside
/// quotes.
private struct SeparatedField {
    private(set) var text: String
    private let hasName: Bool
    private var quoteIsOpen: Bool

    init(_ part: String) {
        text = part
        let pair = part.parts(at: ";")[0].parts(at: "=", atMost: 2)
        hasName = pair.count == 2
        quoteIsOpen = hasName && pair[1].hasPrefix("\"") && !pair[1].dropFirst().contains("\"") && !part.contains(";")
    }

    func goesOn(with part: String) -> Bool {
        // A name holds no separator.
        guard hasName else { return false }
        if quoteIsOpen, part.contains("\"") { return true }
        let pair = part.parts(at: ";")[0].parts(at: "=", atMost: 2)
        return pair.count < 2 || pair[0].unicodeScalars.contains(where: CharacterSet.blanks.contains)
    }

    mutating func append(_ part: String) {
        text += SetCookie.separator + part
        quoteIsOpen = quoteIsOpen && !part.contains("\"") && !part.contains(";")
    }
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
