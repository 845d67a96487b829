import Foundation

/// The value at the end of the path that `JSONNames.current` holds.
///
/// It is nested in itself once for each step. `JSONDecoder` thus walks the path, so that it is `JSONDecoder` that
/// accepts or refuses, and that says where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let (steps, depth) = (JSONNames.current, decoder.codingPath.count)
        value =
            depth == steps.count
            ? try decoder.singleValueContainer().decode(Value.self)
            : try Self.inner(at: steps[depth], of: decoder).value
    }

    private static func inner(at step: String, of decoder: any Decoder) throws -> Self {
        if let index = Int(step), var elements = try? decoder.unkeyedContainer() {
            guard let count = elements.count, 0..<count ~= index else {
                let path = elements.codingPath + [JSONKey(intValue: index)]
                let context = DecodingError.Context(codingPath: path, debugDescription: "The array is at end.")
                throw DecodingError.valueNotFound(Value.self, context)
            }
            for _ in 0..<index { _ = try elements.decode(JSONSibling<Value>.self) }
            return try elements.decode(Self.self)
        }
        let key = JSONKey(stringValue: step)
        let members = try decoder.container(keyedBy: JSONKey.self)
        guard !members.contains(key) else { return try members.decode(Self.self, forKey: key) }
        // A key strategy may have renamed the member; in a dictionary JSONDecoder leaves the names alone.
        let siblings = try decoder.singleValueContainer().decode([String: JSONSibling<Value>].self)
        return try siblings[step]?.envelope ?? members.decode(Self.self, forKey: key)
    }
}

/// A member or an element that the path passes by, unless it is the member that the next step names.
private struct JSONSibling<Value: Decodable>: Decodable {
    let envelope: JSONEnvelope<Value>?

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        let isNext = path.last?.stringValue == JSONNames.current[path.count - 1]
        envelope = isNext ? try JSONEnvelope(from: decoder) : nil
    }
}
