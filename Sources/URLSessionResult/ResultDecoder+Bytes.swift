import Foundation

extension ResultDecoder where T == Data {
    /// The body as it came.
    public static var data: ResultDecoder {
        ResultDecoder { data in data }
    }
}

extension ResultDecoder where T == Void {
    /// Nothing, for when success is all that matters. Any body will do, also none.
    public static var ignored: ResultDecoder {
        ResultDecoder { _ in }
    }
}

extension ResultDecoder where T == String {
    /// Makes a decoder that reads the body as text.
    ///
    /// - Parameter encoding: The encoding of the text, whatever the headers say.
    /// - Returns: The decoder. A body that is no text in this encoding becomes ``NetworkError/decodingError(_:)`` with
    ///   a `DecodingError` that names the encoding.
    public static func string(encoding: String.Encoding = .utf8) -> ResultDecoder {
        ResultDecoder(expecting: "text in \(encoding)") { data in String(data: data, encoding: encoding) }
    }
}

extension ResultDecoder {
    /// Makes a decoder of an initializer that takes `Data` and may fail.
    ///
    /// ```swift
    /// session.dataTask(with: url, decoder: .binary(UIImage.init(data:))) { result in … }
    /// ```
    ///
    /// - Parameter make: Turns the body into a value, or refuses it by returning `nil` or by throwing.
    /// - Returns: The decoder. A refusal becomes ``NetworkError/decodingError(_:)``; the one by `nil` with a
    ///   `DecodingError` that names the type.
    public static func binary(_ make: @escaping @Sendable (Data) throws -> T?) -> ResultDecoder {
        ResultDecoder(expecting: "\(T.self)", make)
    }

    fileprivate init(expecting expected: String, _ make: @escaping @Sendable (Data) throws -> T?) {
        self.init { data in
            if let value = try make(data) { return value }
            let message = "Expected \(expected) but found other bytes."
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
        }
    }
}
