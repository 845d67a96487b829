import Foundation

/// Any JSON value.
enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSON])
    case object([String: JSON])
}

extension JSON {
    /// The member of an object. Setting it to `null` removes it, as in Firebase.
    subscript(key: String) -> JSON {
        get { members?[key] ?? .null }
        set {
            var members = members ?? [:]
            members[key] = newValue == .null ? nil : newValue
            self = members.isEmpty ? .null : .object(members)
        }
    }

    var members: [String: JSON]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension JSON: Codable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() {
                .null
            } else if let text = try? value.decode(String.self) {
                .string(text)
            } else if let number = try? value.decode(Decimal.self) {
                .number(number)
            } else if let bool = try? value.decode(Bool.self) {
                .bool(bool)
            } else if let elements = try? value.decode([JSON].self) {
                .array(elements)
            } else {
                .object(try value.decode([String: JSON].self))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let elements): try value.encode(elements)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSON {
    init(parsing text: Data) throws {
        self = try JSONDecoder().decode(JSON.self, from: text)
    }

    /// The value as compact text. The members are sorted by name, so that the order of the albums never changes.
    var serialized: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Decimal(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(dictionaryLiteral members: (String, JSON)...) { self = .object(Dictionary(uniqueKeysWithValues: members)) }
}
