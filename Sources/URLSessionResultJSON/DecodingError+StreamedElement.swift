extension DecodingError {
    /// The error of a decoder that read a part of the body, with the coding path of the part.
    package init(_ error: any Error, inside path: [any CodingKey]) {
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
