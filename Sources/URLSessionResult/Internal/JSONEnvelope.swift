import Foundation

/// The way into an envelope, handed to `JSONEnvelope` beside `JSONDecoder`, whose `userInfo` belongs to its owner.
enum JSONPath {
    @TaskLocal static var steps: [String] = []
}

/// The value at the end of `JSONPath.steps`.
///
/// It is nested in itself once for each step. `JSONDecoder` thus walks the path, so that it is `JSONDecoder` that
/// accepts or refuses, and that says where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let steps = JSONPath.steps
        let depth = decoder.codingPath.count
        value =
            depth == steps.count
            ? try decoder.singleValueContainer().decode(Value.self)
            : try Self.inner(at: steps[depth], of: decoder).value
    }

    private static func inner(at step: String, of decoder: any Decoder) throws -> Self {
        if let index = Int(step), var elements = try? decoder.unkeyedContainer() {
            return try inner(at: index, of: &elements)
        }
        let key = JSONKey(stringValue: step)
        let members = try decoder.container(keyedBy: JSONKey.self)
        guard !members.contains(key) else { return try members.decode(Self.self, forKey: key) }
        // A key strategy may have renamed the member; in a dictionary JSONDecoder leaves the names alone.
        let siblings = try decoder.singleValueContainer().decode([String: JSONSibling<Value>].self)
        return try siblings[step]?.envelope ?? members.decode(Self.self, forKey: key)
    }

    private static func inner(at index: Int, of elements: inout any UnkeyedDecodingContainer) throws -> Self {
        guard let count = elements.count, 0..<count ~= index else {
            let path = elements.codingPath + [JSONKey(intValue: index)]
            let context = DecodingError.Context(codingPath: path, debugDescription: "There is no such element.")
            throw DecodingError.valueNotFound(Value.self, context)
        }
        while elements.currentIndex < index {
            _ = try elements.decode(JSONSibling<Value>.self)
        }
        return try elements.decode(Self.self)
    }
}

/// A member or an element that the path passes by, unless it is the member that the next step names.
private struct JSONSibling<Value: Decodable>: Decodable {
    let envelope: JSONEnvelope<Value>?

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        let isNext = path.last?.stringValue == JSONPath.steps[path.count - 1]
        envelope = isNext ? try JSONEnvelope(from: decoder) : nil
    }
}

/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
