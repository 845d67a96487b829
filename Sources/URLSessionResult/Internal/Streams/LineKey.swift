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

extension DecodingError {
    /// The error of a decoder, with the number of the line.
    init(_ error: any Error, inLine number: Int) {
        let line = LineKey(number: number, error: error)
        self =
            switch error {
            case DecodingError.typeMismatch(let type, let context): .typeMismatch(type, context.inside(line))
            case DecodingError.valueNotFound(let type, let context): .valueNotFound(type, context.inside(line))
            case DecodingError.keyNotFound(let key, let context): .keyNotFound(key, context.inside(line))
            case DecodingError.dataCorrupted(let context): .dataCorrupted(context.inside(line))
            default: .dataCorrupted(Context(codingPath: [line], debugDescription: "", underlyingError: error))
            }
    }
}

extension DecodingError.Context {
    fileprivate func inside(_ line: LineKey) -> Self {
        Self(codingPath: [line] + codingPath, debugDescription: debugDescription, underlyingError: underlyingError)
    }
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
