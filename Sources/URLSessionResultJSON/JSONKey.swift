import Foundation

/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
package struct JSONKey: CodingKey {
    package let stringValue: String
    private let index: Int?

    // Computed on demand: a key is made of every name, and few keys are asked for a number.
    package var intValue: Int? { index ?? (Self.namesAreNumbers ? Int(stringValue) : nil) }

    /// The index is that of an element, or the place of a member in its object if that is known.
    init(stringValue: String, index: Int?) {
        self.stringValue = stringValue
        self.index = index
    }

    package init(stringValue: String) { self.init(stringValue: stringValue, index: nil) }

    package init(intValue: Int) { self.init(stringValue: "Index \(intValue)", index: intValue) }

    /// Whether `JSONDecoder` gives a key with the name `1` the `intValue` 1. That of Swift 6.2 does not.
    private static let namesAreNumbers: Bool = {
        let numbers = try? JSONDecoder().decode([String: NumberOfKey].self, from: Data(#"{"1":0}"#.utf8))
        return numbers?.values.first?.number != nil
    }()

    private struct NumberOfKey: Decodable {
        let number: Int?

        init(from decoder: any Decoder) { number = decoder.codingPath.last?.intValue }
    }
}
