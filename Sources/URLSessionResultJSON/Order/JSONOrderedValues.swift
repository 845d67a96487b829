extension Decoder {
    /// Decodes the values of an object in the order of the document, the elements of an array that are not `null`, or none
    /// for `null`. Everything else fails with the error of `[String: Element]`.
    func orderedValues<Element: Decodable>(keys: JSONObjectKeys) throws -> [Element] {
        let container = try singleValueContainer()
        guard !container.decodeNil() else { return [] }
        guard (try? unkeyedContainer()) == nil else {
            return try container.decode([Element?].self).compactMap { $0 }
        }
        if keys.areExact, let members = members(called: keys.inOrder) {
            return try keys.inOrder.map { key in try members.decode(Element.self, forKey: JSONKey(stringValue: key)) }
        }
        // As a dictionary, because JSONDecoder exempts dictionaries from key strategies.
        return try container.decode([String: Element].self).values(orderedBy: keys.inOrder)
    }

    /// Returns the members of an object if no two of its keys are equal. Then no dictionary has to be decoded.
    func members(called keys: [String]) -> KeyedDecodingContainer<JSONKey>? {
        // An error that is thrown here is thrown again when the object is decoded as a dictionary.
        guard let members = try? container(keyedBy: JSONKey.self) else { return nil }
        return members.allKeys.count == keys.count ? members : nil
    }
}

extension Dictionary where Key == String {
    /// The values in the order of their keys.
    func values(orderedBy keys: [String]) -> [Value] {
        var others = self
        let sorted = keys.compactMap { key in others.removeValue(forKey: key) }
        // A subclass of JSONDecoder may have read other bytes than those the keys are from. No value is lost then.
        return sorted + others.values
    }
}
