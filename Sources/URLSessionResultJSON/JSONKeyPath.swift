import Foundation

/// The path to a value inside an envelope: `data.items.0`.
package struct JSONKeyPath: Sendable {
    /// The whole document.
    package static let root = JSONKeyPath("")

    /// Names of members and indices of elements, from the outside to the inside.
    let steps: [String]

    package init(_ text: String) {
        steps = text.isEmpty ? [] : text.components(separatedBy: ".")
    }

    // MARK: Texts

    /// The text before a value in a document without other members: `{"data":{"items":`.
    ///
    /// Use it only if all steps are names. If one needs an escape, the text is no JSON, and `JSONDecoder` rejects it.
    var opening: String { steps.map { "{\"\($0)\":" }.joined() }

    /// The text after the value: `}}`.
    var closing: String { String(repeating: "}", count: steps.count) }

    // MARK: Decoders

    /// Follows the path.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the document.
    ///   - type: The type of the value, which an error names.
    /// - Returns: The decoder of the value.
    /// - Throws: A `DecodingError` that names the step that leads nowhere.
    func decoder(in decoder: any Decoder, of type: Any.Type) throws -> any Decoder {
        try steps.reduce(decoder) { decoder, step in
            // A number is an index if there is an array, and a name otherwise.
            let key = JSONKey(stringValue: step)
            if let index = Int(step), let elements = try? decoder.unkeyedContainer() {
                return try Self.decoder(ofElementAt: index, in: elements, of: type)
            }
            let members = try decoder.container(keyedBy: JSONKey.self)
            // Throws if the member is missing. superDecoder(forKey:) would return a decoder of null.
            _ = try members.decodeNil(forKey: key)
            return try members.superDecoder(forKey: key)
        }
    }

    private static func decoder(
        ofElementAt index: Int, in elements: any UnkeyedDecodingContainer, of type: Any.Type
    ) throws -> any Decoder {
        var elements = elements
        guard let count = elements.count, 0..<count ~= index else {
            let path = elements.codingPath + [JSONKey(intValue: index)]
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "The array is at end."))
        }
        for _ in 0..<index {
            _ = try elements.superDecoder()
        }
        return try elements.superDecoder()
    }
}
