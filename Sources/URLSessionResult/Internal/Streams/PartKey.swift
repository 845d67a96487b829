/// A line or an event of a body, as the first key of the coding path of an error.
struct PartKey {
    /// "line" or "event".
    let name: String
    let number: Int

    /// What the decoder threw.
    let error: any Error
}

extension PartKey: CodingKey {
    var intValue: Int? { number }
    var stringValue: String { "\(name) \(number)" }

    init?(intValue: Int) { nil }
    init?(stringValue: String) { nil }
}

extension Error {
    /// The line or event that a decoder failed on, if it reads a body in such parts.
    var part: PartKey? {
        switch self as any Error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.first as? PartKey
        default:
            nil
        }
    }
}
