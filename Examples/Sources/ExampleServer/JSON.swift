import Foundation

/// A JSON value that keeps the order of its members and the spelling of its numbers.
///
/// Foundation's own JSON types go through dictionaries, and a database that gives its albums in another order each
/// time is unpleasant to look at.
enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Equatable, Sendable {
        let key: String
        var value: JSON
    }
}

extension JSON {
    /// The member of an object; setting `null` removes it, as in Firebase.
    subscript(key: String) -> JSON {
        get {
            guard case .object(let members) = self else { return .null }
            return members.first { $0.key == key }?.value ?? .null
        }
        set {
            guard case .object(var members) = self else {
                self = newValue == .null ? self : .object([Member(key: key, value: newValue)])
                return
            }
            switch (members.firstIndex { $0.key == key }, newValue) {
            case (let index?, .null): members.remove(at: index)
            case (let index?, _): members[index].value = newValue
            case (nil, .null): break
            case (nil, _): members.append(Member(key: key, value: newValue))
            }
            self = members.isEmpty ? .null : .object(members)
        }
    }

    var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(String(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements.map(Member.init)) }
}

extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): quoted(text)
        case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quoted($0.key) + ":" + $0.value.description }.joined(separator: ",") + "}"
        }
    }

    private func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "\0"..<" ": "\\u00" + (scalar < "\u{10}" ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
