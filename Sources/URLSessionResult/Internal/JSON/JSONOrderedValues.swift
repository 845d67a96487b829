/// The values of an object in the order of the document, the elements of an array that are not `null`, or none for `null`.
///
/// Everything else fails with the error of `[String: Element]`.
struct JSONOrderedValues<Element: Decodable>: Decodable {
    let values: [Element]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            values = []
        } else if (try? decoder.unkeyedContainer()) != nil {
            values = try container.decode([Element?].self).compactMap { $0 }
        } else if case .exact(let keys) = JSONObjectKeys.current, let members = Self.members(called: keys, in: decoder)
        {
            values = try keys.map { key in try members.decode(Element.self, forKey: JSONKey(stringValue: key)) }
        } else {
            // As a dictionary, because JSONDecoder exempts dictionaries from key strategies.
            let members = try container.decode([String: Element].self)
            values = Self.sort(members, by: JSONObjectKeys.current)
        }
    }

    /// Returns the members of an object if each key names a different one. This saves the dictionary.
    private static func members(called keys: [String], in decoder: any Decoder) -> KeyedDecodingContainer<JSONKey>? {
        // An error that is thrown here is thrown again when the object is decoded as a dictionary.
        guard let members = try? decoder.container(keyedBy: JSONKey.self) else { return nil }
        return members.allKeys.count == keys.count ? members : nil
    }

    private static func sort(_ members: [String: Element], by keys: JSONObjectKeys) -> [Element] {
        switch keys {
        case .exact(let keys), .inexact(let keys):
            var others = members
            let sorted = keys.compactMap { key in others.removeValue(forKey: key) }
            // A subclass of JSONDecoder may have read other bytes than those the keys are from. No value is lost then.
            return sorted + others.values
        case .unknown:
            return Array(members.values)
        }
    }
}
