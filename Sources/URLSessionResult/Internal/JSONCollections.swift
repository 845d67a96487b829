import Foundation

extension SharedJSONDecoder {
    /// Decodes what `JSONDecoder` decodes as `[Element]`.
    func array<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        try splitting(data) { parts in
            if let parts, !parts.isObject, let elements = parts.decode(type) { return elements }
            return try decode([Element].self, from: data)
        }
    }

    /// Decodes the values of what `JSONDecoder` decodes as `[String: Element]`, and arrays and `null`.
    func values<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        try splitting(data) { parts in
            if let parts, parts.isObject, let members = parts.decode(type) { return members }
            if let parts, !parts.isObject, let elements = parts.decode(Element?.self) {
                return elements.compactMap { $0 }
            }
            // What it throws is found again below, where JSONDecoder sees the document as it is.
            if isStandard, let members = try? members(of: type, in: data) { return members }
            switch try decode(JSONUnorderedValues<Element>.self, from: data) {
            case .elements(let elements): return elements.compactMap { $0 }
            case .members(let members): return try inOrder(members, of: data)
            }
        }
    }

    private func members<Element: Decodable>(of type: Element.Type, in data: Data) throws -> [Element] {
        let part = try data.withUnsafeBytes { bytes in
            var scanner = JSONPartScanner(bytes)
            return scanner?.isObject == true ? try scanner?.next(size: .max, in: bytes) : nil
        }
        guard let part else { throw JSONIrregularity() }
        return try members(of: type, keys: keys(at: part.keys, in: data), in: data)
    }

    private func inOrder<Element>(_ members: [String: Element], of data: Data) throws -> [Element] {
        var remaining = members
        let values = try recordedKeys(of: data).compactMap { remaining.removeValue(forKey: $0) }
        // Before macOS 14 and iOS 17 keys may be recorded in another order or be missing; no value is lost for that.
        return values + remaining.values
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
