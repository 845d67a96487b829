import Foundation

extension SharedJSONDecoder {
    /// Decodes the values of an object in an order, the elements of an array that are not `null`, or none of `null`.
    func values<T: Decodable>(of type: T.Type, in data: Data, keys: [String]) throws -> [T] {
        // Only if JSONDecoder calls the members by their keys, which no strategy converts.
        let exactKeys = if case .useDefaultKeys = decoder.keyDecodingStrategy, isStandard { keys } else { [String]() }
        var decoded = try JSONPath.$current.withValue(exactKeys) { try decode(JSONValues<T>.self, from: data) }
        guard !decoded.members.isEmpty else { return decoded.inOrder }
        // A subclass may have decoded other bytes than those that the keys are of; no value is lost for that.
        return keys.compactMap { decoded.members.removeValue(forKey: $0) } + decoded.members.values
    }

    /// Reads the keys of the members of a part.
    func keys(of part: JSONPart) throws -> [String] {
        try part.keys.map { $0.utf8.contains(0x5C) ? try decode(String.self, from: Data("\"\($0)\"".utf8)) : $0 }
    }

    /// Returns the keys of the object that a document is, however it is encoded, in their order.
    func keys(of data: Data) -> [String] {
        if isStandard, var scanner = JSONPartScanner(data) {
            let part = scanner.isObject ? scanner.next(size: .max) : nil
            // A key that cannot be decoded has JSONDecoder refuse the document.
            return part.flatMap { try? keys(of: $0) } ?? []
        }
        // JSONDecoder hands each key to its key strategy while it reads the object, and thus in the order of the
        // document; what it gives afterwards is a dictionary. Before macOS 14 and iOS 17 keys may come in another order
        // or be missing.
        struct Recipient: Decodable { var member: Bool? }
        let recorded = Locked<[String]>([])
        let recorder = JSONDecoder()
        recorder.allowsJSON5 = decoder.allowsJSON5
        recorder.assumesTopLevelDictionary = decoder.assumesTopLevelDictionary
        recorder.keyDecodingStrategy = .custom { path in
            recorded.withLock { $0.append(path[0].stringValue) }
            return path[0]
        }
        // Whatever becomes of the member, the keys have been read.
        _ = try? recorder.decode(Recipient.self, from: data)
        return recorded.withLock { $0 }
    }
}

/// An object, an array or `null`, with the errors of `[String: Element]` for all else.
private struct JSONValues<Element: Decodable>: Decodable {
    /// The elements of an array, or the values of the keys that `JSONPath` has.
    private(set) var inOrder: [Element] = []

    /// The members of an object, if they could not be put in order.
    var members: [String: Element] = [:]

    init(from decoder: any Decoder) throws {
        let (keys, container) = (JSONPath.current, try decoder.singleValueContainer())
        if keys != [], let object = try? decoder.container(keyedBy: JSONKey.self), object.allKeys.count == keys.count {
            // What a dictionary does, without the dictionary.
            inOrder = try keys.map { try object.decode(Element.self, forKey: JSONKey(stringValue: $0)) }
        } else if (try? decoder.unkeyedContainer()) != nil {
            inOrder = try container.decode([Element?].self).compactMap { $0 }
        } else if !container.decodeNil() {
            // A dictionary is what JSONDecoder exempts from key strategies.
            members = try container.decode([String: Element].self)
        }
    }
}
