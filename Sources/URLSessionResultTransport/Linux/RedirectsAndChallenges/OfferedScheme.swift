#if canImport(FoundationNetworking)

import Foundation

/// A way to authenticate that a response offers (RFC 9110, section 11.3).
struct OfferedScheme: Equatable {
    /// In lower case, as the names of the parameters.
    let name: String
    var parameters: [String: String] = [:]

    /// Reads a `WWW-Authenticate` or `Proxy-Authenticate` field. A comma separates schemes, and also the parameters of a scheme.
    static func all(in field: String) -> [OfferedScheme] {
        var rest = Substring(field)
        var schemes: [OfferedScheme] = []
        var mayBeScheme = true
        while let first = rest.first {
            guard first.isTokenCharacter else {
                if first == "," { mayBeScheme = true }
                if first == "\"" { _ = rest.takeQuotedText() } else { rest.removeFirst() }
                continue
            }
            let name = rest.takeToken().lowercased()
            if rest.hasParameterValue {
                let value = rest.takeParameterValue()
                if let last = schemes.indices.last, schemes[last].parameters[name] == nil {
                    schemes[last].parameters[name] = value
                }
            } else if mayBeScheme {
                schemes.append(OfferedScheme(name: name))
            }
            mayBeScheme = false
        }
        return schemes
    }
}

extension Substring {
    fileprivate mutating func takeToken() -> Substring {
        defer { self = drop(while: \.isTokenCharacter) }
        return prefix(while: \.isTokenCharacter)
    }

    /// Whether an equals sign follows, maybe behind blanks.
    fileprivate var hasParameterValue: Bool { drop(while: \.isBlank).first == "=" }

    fileprivate mutating func takeParameterValue() -> String {
        self = drop(while: \.isBlank).dropFirst().drop(while: \.isBlank)
        return first == "\"" ? takeQuotedText() : String(takeToken())
    }

    /// Takes a text in quotes, in which a backslash quotes the next character.
    fileprivate mutating func takeQuotedText() -> String {
        removeFirst()
        var text = ""
        while let character = popFirst(), character != "\"" {
            guard character == "\\" else {
                text.append(character)
                continue
            }
            if let quoted = popFirst() { text.append(quoted) }
        }
        return text
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }

    /// RFC 9110, section 5.6.2, and what many servers do not quote.
    fileprivate var isTokenCharacter: Bool { !isBlank && !#","=;"#.contains(self) }
}

#endif
