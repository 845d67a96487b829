/// Entries that stand before the elements of a part, as many as stand before them in the whole array.
///
/// Thus the elements have the coding paths that they have in the whole document (`[1203].name`), at which models and
/// strategies may look, and which errors quote.
enum JSONPadding {
    static let entry = "null,"

    /// Whether elements of a type may look at their coding path.
    ///
    /// No others than these are known not to. For them the padding would be most of what is decoded.
    static func isNeeded(for type: Any.Type) -> Bool {
        let typesWithoutInterest: [Any.Type] = [Int.self, Double.self, Bool.self, String.self]
        return !typesWithoutInterest.contains { $0 == type }
    }

    /// Returns at least one entry; the first is the number of all.
    static func text(count: Int) -> String {
        "\(count)," + String(repeating: entry, count: count - 1)
    }
}

/// The elements after a padding.
struct JSONPaddedElements<Element: Decodable>: Decodable {
    let elements: [Element]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let paddingCount = try container.decode(Int.self)
        for _ in 1..<paddingCount {
            _ = try container.decodeNil()
        }
        var elements: [Element] = []
        while !container.isAtEnd {
            elements.append(try container.decode(Element.self))
        }
        self.elements = elements
    }
}
