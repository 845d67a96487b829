#if canImport(FoundationNetworking)

import Foundation

/// A cookie as a server describes it in a `Set-Cookie` field (RFC 6265, section 5.2).
struct SetCookie {
    let name: String
    let value: String
    private var expires: Date?

    /// In seconds.
    private var maximumAge: TimeInterval?

    /// In lower case and without a dot at its beginning. Without one, the cookie is for the host of the response alone.
    private(set) var domain: String?

    /// Nil for the folder of the URL.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    /// - Parameter field: The field. It describes no cookie if it has no name, a control character, or more than 4096 bytes
    ///   of name and value (RFC 6265bis, section 5.6).
    init?(_ field: String) {
        let parts = field.components(separatedBy: .semicolon)
        let pair = parts[0].nameAndValue
        guard let value = pair.value, !pair.name.isEmpty, pair.name.utf8.count + value.utf8.count <= 4096,
            field.rangeOfCharacter(from: .controls) == nil
        else { return nil }
        name = pair.name
        self.value = value
        for attribute in parts.dropFirst() { read(attribute) }
    }

    /// Reads an attribute. The last one of a name counts.
    private mutating func read(_ attribute: String) {
        let pair = attribute.nameAndValue
        let value = pair.value ?? ""
        switch pair.name.lowercased() {
        case "expires": expires = Date(cookieDate: value) ?? expires
        // Workaround: cookieAttributes
        case "max-age": maximumAge = TimeInterval(maximumAge: value) ?? maximumAge
        case "domain" where !value.isEmpty: domain = value.withoutDotAtBeginning.lowercased()
        case "path": path = value.hasPrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    /// When the cookie expires: as `Max-Age` says, or else `Expires` (RFC 6265, section 5.3).
    func expiry(at date: Date) -> Date? {
        guard let maximumAge else { return expires }
        return maximumAge > 0 ? min(date + maximumAge, .distantFuture) : .distantPast
    }

    /// The cookies of several fields, which `URLSession` has joined with a comma and a space.
    static func all(in joinedFields: String) -> [SetCookie] {
        var fields: [SeparatedField] = []
        for part in joinedFields.components(separatedBy: separator) {
            let next = SeparatedField(part)
            if let field = fields.last, field.goesOn(with: next) {
                field.append(next)
            } else {
                fields.append(next)
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
private final class SeparatedField {
    private(set) var text: String

    /// What is before the first `=`, if there is one.
    private let name: String?
    private var quoteIsOpen: Bool

    init(_ part: String) {
        text = part
        let pair = part.components(separatedBy: .semicolon)[0].nameAndValue
        name = pair.value == nil ? nil : pair.name
        let quotes = pair.value?.components(separatedBy: "\"") ?? []
        quoteIsOpen = quotes.count == 2 && quotes[0].isEmpty && !part.contains(";")
    }

    func goesOn(with next: SeparatedField) -> Bool {
        // Without `=`, the field describes no cookie, and the next part must not become the rest of its name.
        guard name != nil else { return false }
        if quoteIsOpen, next.text.contains("\"") { return true }
        guard let nextName = next.name else { return true }
        return nextName.rangeOfCharacter(from: .blanks) != nil
    }

    func append(_ next: SeparatedField) {
        text += SetCookie.separator + next.text
        quoteIsOpen = quoteIsOpen && !next.text.contains("\"") && !next.text.contains(";")
    }
}

extension String {
    /// What is before the first `=`, and what is after it, without white space around them.
    fileprivate var nameAndValue: (name: String, value: String?) {
        let sides = components(separatedBy: .equalsSign)
        let value = sides.count > 1 ? sides.dropFirst().joined(separator: "=") : nil
        return (sides[0].trimmingCharacters(in: .blanks), value?.trimmingCharacters(in: .blanks))
    }

    fileprivate var withoutDotAtBeginning: String { hasPrefix(".") ? String(dropFirst()) : self }
}

extension TimeInterval {
    /// The seconds of a `Max-Age`, or nil if it is no whole number (RFC 6265, section 5.2.2).
    fileprivate init?(maximumAge text: String) {
        let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
        guard !digits.isEmpty, digits.rangeOfCharacter(from: .otherThanDigits) == nil else { return nil }
        self.init(text)
    }
}

/// A separator counts as a scalar. With a combining mark after it, it would be another `Character`.
extension CharacterSet {
    static let blanks = CharacterSet(charactersIn: " \t")
    fileprivate static let equalsSign = CharacterSet(charactersIn: "=")
    fileprivate static let semicolon = CharacterSet(charactersIn: ";")

    /// Those of ASCII, without the tab.
    fileprivate static let controls = CharacterSet(charactersIn: "\0"..."\u{1F}")
        .union(CharacterSet(charactersIn: "\u{7F}")).subtracting(.blanks)
}

#endif
