/// A line, as the first key of the coding path of an error.
struct LineKey: CodingKey {
    let number: Int

    /// What the decoder threw.
    let error: any Error

    var intValue: Int? { number }
    var stringValue: String { "line \(number)" }

    init(number: Int, error: any Error) {
        self.number = number
        self.error = error
    }

    init?(intValue: Int) { nil }
    init?(stringValue: String) { nil }
}

extension Error {
    /// The line that a decoder failed on, if it reads a body line by line.
    var line: LineKey? {
        switch self as any Error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.first as? LineKey
        default:
            nil
        }
    }
}
