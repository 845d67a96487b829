import Foundation

/// The value at the end of a path.
///
/// It is `JSONDecoder` that walks the path, so that it is `JSONDecoder` that accepts or refuses, and that says where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try Self.value(at: JSONPath.current[...], of: decoder)
    }

    fileprivate static func value(at path: ArraySlice<String>, of decoder: any Decoder) throws -> Value {
        guard let step = path.first else { return try decoder.singleValueContainer().decode(Value.self) }
        let rest = path.dropFirst()
        if let index = Int(step), var elements = try? decoder.unkeyedContainer() {
            guard let count = elements.count, 0..<count ~= index else {
                let path = elements.codingPath + [JSONKey(intValue: index)]
                let context = DecodingError.Context(codingPath: path, debugDescription: "The array is at end.")
                throw DecodingError.valueNotFound(Value.self, context)
            }
            for _ in 0..<index { _ = try elements.superDecoder() }
            return try value(at: rest, of: elements.superDecoder())
        }
        let key = JSONKey(stringValue: step)
        let members = try decoder.container(keyedBy: JSONKey.self)
        if members.contains(key) { return try value(at: rest, of: members.superDecoder(forKey: key)) }
        // A key strategy may have renamed the member; in a dictionary JSONDecoder leaves the names alone.
        let siblings = try JSONPath.$current.withValue(Array(path)) {
            try decoder.singleValueContainer().decode([String: JSONSibling<Value>].self)
        }
        return try siblings[step]?.value ?? members.decode(Value.self, forKey: key)
    }
}

/// The steps to the value of a `JSONEnvelope`, handed to it beside `JSONDecoder`, whose `userInfo` belongs to its
/// owner.
enum JSONPath {
    @TaskLocal static var current: [String] = []
}

/// A member that the path passes by, unless it is the one that the next step names.
private struct JSONSibling<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        let path = JSONPath.current
        let isNext = decoder.codingPath.last?.stringValue == path.first
        value = isNext ? try JSONEnvelope<Value>.value(at: path.dropFirst(), of: decoder) : nil
    }
}
