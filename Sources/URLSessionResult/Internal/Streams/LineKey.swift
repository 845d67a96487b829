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
    /// The error of a decoder that read a part of the body, with the coding path of the part.
    init(_ error: any Error, inside path: [any CodingKey]) {
        self =
            switch error {
            case DecodingError.typeMismatch(let type, let context): .typeMismatch(type, context.inside(path))
            case DecodingError.valueNotFound(let type, let context): .valueNotFound(type, context.inside(path))
            case DecodingError.keyNotFound(let key, let context): .keyNotFound(key, context.inside(path))
            case DecodingError.dataCorrupted(let context): .dataCorrupted(context.inside(path))
            default: .dataCorrupted(Context(codingPath: path, debugDescription: "", underlyingError: error))
            }
    }
}

extension DecodingError.Context {
    fileprivate func inside(_ path: [any CodingKey]) -> Self {
        Self(codingPath: path + codingPath, debugDescription: debugDescription, underlyingError: underlyingError)
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
