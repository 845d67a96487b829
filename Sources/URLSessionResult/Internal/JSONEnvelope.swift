import Foundation

/// The value at the end of a path.
///
/// It is `JSONDecoder` that walks the path, so that it is `JSONDecoder` that accepts or refuses, and that says where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        var decoder = decoder
        for step in JSONPath.current {
            if let index = Int(step), var elements = try? decoder.unkeyedContainer() {
                guard let count = elements.count, 0..<count ~= index else {
                    let path = elements.codingPath + [JSONKey(intValue: index)]
                    throw DecodingError.valueNotFound(
                        Value.self, .init(codingPath: path, debugDescription: "The array is at end."))
                }
                for _ in 0..<index { _ = try elements.superDecoder() }
                decoder = try elements.superDecoder()
            } else {
                let members = try decoder.container(keyedBy: JSONKey.self)
                // Throws when there is no such member, for which superDecoder(forKey:) makes up a null.
                _ = try members.decodeNil(forKey: JSONKey(stringValue: step))
                decoder = try members.superDecoder(forKey: JSONKey(stringValue: step))
            }
        }
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

/// The steps to the value of a `JSONEnvelope`, or the keys of a `JSONValues`.
///
/// They are handed over beside `JSONDecoder`, whose `userInfo` belongs to its owner.
enum JSONPath { @TaskLocal static var current: [String] = [] }

/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
struct JSONKey: CodingKey {
    let stringValue: String
    private var index: Int?

    // Computed, for one is made of every name, and few are asked.
    var intValue: Int? { index ?? Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) { (stringValue, index) = ("Index \(intValue)", intValue) }
}
