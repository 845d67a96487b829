import Foundation

/// The path to a value inside an envelope: `data.items.0`.
struct JSONKeyPath: Sendable {
    /// The path to the value that is being decoded, passed beside `JSONDecoder`, whose `userInfo` belongs to its owner.
    @TaskLocal static var current = JSONKeyPath.root

    /// The whole document.
    static let root = JSONKeyPath("")

    /// Names of members and indices of elements, from the outside to the inside.
    let steps: [String]

    /// The text before a value in a document without other members: `{"data":{"items":`.
    ///
    /// Use it only if all steps are names, and a document contains them without escapes.
    var opening: String { steps.map { "{\"\($0)\":" }.joined() }

    /// The text after the value: `}}`.
    var closing: String { String(repeating: "}", count: steps.count) }

    init(_ text: String) {
        steps = text.isEmpty ? [] : text.components(separatedBy: ".")
    }
}

/// The value at the end of the current key path.
///
/// `JSONDecoder` follows the path, so that `JSONDecoder` accepts or rejects the document and its errors say where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        var decoder = decoder
        for step in JSONKeyPath.current.steps {
            decoder = try Self.decoder(ofStep: step, in: decoder)
        }
        value = try decoder.singleValueContainer().decode(Value.self)
    }

    private static func decoder(ofStep step: String, in decoder: any Decoder) throws -> any Decoder {
        // A number is an index if there is an array, and a name otherwise.
        if let index = Int(step), let elements = try? decoder.unkeyedContainer() {
            return try Self.decoder(ofElementAt: index, in: elements)
        }
        let key = JSONKey(stringValue: step)
        let members = try decoder.container(keyedBy: JSONKey.self)
        // Throws if the member is missing. superDecoder(forKey:) would return a decoder of null.
        _ = try members.decodeNil(forKey: key)
        return try members.superDecoder(forKey: key)
    }

    private static func decoder(
        ofElementAt index: Int, in elements: any UnkeyedDecodingContainer
    ) throws -> any Decoder {
        var elements = elements
        guard let count = elements.count, 0..<count ~= index else {
            let path = elements.codingPath + [JSONKey(intValue: index)]
            throw DecodingError.valueNotFound(
                Value.self, .init(codingPath: path, debugDescription: "The array is at end."))
        }
        for _ in 0..<index {
            _ = try elements.superDecoder()
        }
        return try elements.superDecoder()
    }
}
