/// A value with the key that it has in its object. In an array, which Firebase-style databases write for integer keys, the key is
/// the index.
package struct JSONKeyedValue<Value: Decodable>: Decodable {
    package let key: String
    package let value: Value

    package init(from decoder: any Decoder) throws {
        let key = decoder.codingPath.last
        self.key = key?.index.map(String.init) ?? key?.stringValue ?? ""
        // Through a container, because JSONDecoder applies its strategies for dates, data and URLs only there.
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension CodingKey {
    /// The index of an element of an array. A member may be called by a number, too.
    package var index: Int? {
        guard let intValue, stringValue == "Index \(intValue)" else { return nil }
        return intValue
    }
}
