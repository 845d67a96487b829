import Foundation

/// What `jsonValues` finds in a document.
enum JSONValues<Element> {
    /// The values of an object, in the order of the document.
    case members([Element])

    /// The elements of an array, or none for `null`.
    case elements([Element?])

    var all: [Element] {
        switch self {
        case .members(let members): members
        case .elements(let elements): elements.compactMap { $0 }
        }
    }
}

extension SharedJSONDecoder {
    func array<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        try decode([Element].self, from: data)
    }

    func values<Element: Decodable & SendableMetatype>(
        of type: Element.Type,
        in data: Data
    ) throws -> JSONValues<Element> {
        switch try decode(JSONUnorderedValues<Element>.self, from: data) {
        case .elements(let elements):
            return .elements(elements)
        case .members(var members):
            let keys = try keysInOrder(of: data)
            return .members(keys.compactMap { members.removeValue(forKey: $0) } + members.values)
        }
    }
}

/// An object, an array or `null`, with the errors of `[String: Element]` for all else.
private enum JSONUnorderedValues<Element: Decodable>: Decodable {
    case members([String: Element])
    case elements([Element?])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .elements([])
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .elements(try container.decode([Element?].self))
        } else {
            self = .members(try container.decode([String: Element].self))
        }
    }
}
