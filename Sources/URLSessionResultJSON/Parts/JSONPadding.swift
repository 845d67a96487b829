/// `null` entries before the elements of a part: one for each element that is before the part in the whole array.
///
/// With them, the elements have the same coding paths as in the whole document, for example `[1203].name`. Models and
/// strategies may read the coding path, and errors contain it.
enum JSONPadding {
    static let entry = "null,"

    /// Whether elements of this type may read their coding path.
    ///
    /// Only these four types are known not to. They are short, so that padding would be most of what is decoded.
    static func isNeeded(for type: Any.Type) -> Bool {
        let typesThatDoNot: [Any.Type] = [Int.self, Double.self, Bool.self, String.self]
        return !typesThatDoNot.contains { $0 == type }
    }

    static func text(count: Int) -> String { String(repeating: entry, count: count) }
}

extension Decoder {
    /// The elements after a padding of so many entries.
    func elements<Element: Decodable>(afterPadding paddingCount: Int) throws -> [Element] {
        var container = try unkeyedContainer()
        for _ in 0..<paddingCount {
            _ = try container.decodeNil()
        }
        var elements: [Element] = []
        while !container.isAtEnd {
            elements.append(try container.decode(Element.self))
        }
        return elements
    }
}
