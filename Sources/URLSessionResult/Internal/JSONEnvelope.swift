import Foundation

/// The value at the end of the path that `JSONNames.current` holds.
///
/// It is nested in itself once for each step, which is then taken off the path. `JSONDecoder` thus walks the path, so
/// that it is `JSONDecoder` that accepts or refuses, and that says where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        if let step = JSONNames.current.first {
            value = try Self.inner(at: step, of: decoder).value
        } else {
            value = try decoder.singleValueContainer().decode(Value.self)
        }
    }

    private static func inner(at step: String, of decoder: any Decoder) throws -> Self {
        if let index = Int(step), var elements = try? decoder.unkeyedContainer() {
            guard let count = elements.count, 0..<count ~= index else {
                let path = elements.codingPath + [JSONKey(intValue: index)]
                let context = DecodingError.Context(codingPath: path, debugDescription: "The array is at end.")
                throw DecodingError.valueNotFound(Value.self, context)
            }
            for _ in 0..<index { _ = try elements.decode(JSONSibling<Value>.self) }
            return try JSONNames.withRest { try elements.decode(Self.self) }
        }
        let key = JSONKey(stringValue: step)
        let members = try decoder.container(keyedBy: JSONKey.self)
        guard !members.contains(key) else {
            return try JSONNames.withRest { try members.decode(Self.self, forKey: key) }
        }
        // A key strategy may have renamed the member; in a dictionary JSONDecoder leaves the names alone.
        let siblings = try decoder.singleValueContainer().decode([String: JSONSibling<Value>].self)
        return try siblings[step]?.envelope ?? members.decode(Self.self, forKey: key)
    }
}

/// A member or an element that the path passes by, unless it is the member that the next step names.
private struct JSONSibling<Value: Decodable>: Decodable {
    let envelope: JSONEnvelope<Value>?

    init(from decoder: any Decoder) throws {
        let isNext = decoder.codingPath.last?.stringValue == JSONNames.current.first
        envelope = isNext ? try JSONNames.withRest { try JSONEnvelope(from: decoder) } : nil
    }
}

/// Names handed to a type beside `JSONDecoder`, whose `userInfo` belongs to its owner.
enum JSONNames {
    @TaskLocal static var current: [String] = []

    /// Runs `body` with all names but the first.
    static func withRest<T>(_ body: () throws -> T) rethrows -> T {
        try $current.withValue(Array(current.dropFirst()), operation: body)
    }
}
