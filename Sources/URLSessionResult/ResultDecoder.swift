import Foundation

/// A function that turns a body into a value: made once, kept in a constant, passed with a leading dot.
///
/// ```swift
/// let albums = ResultDecoder.json([Album].self).map { albums in
///     albums.sorted { $0.year < $1.year }
/// }
///
/// session.dataTask(with: url, decoder: albums) { result in … }
/// ```
///
/// Creating a decoder costs little, but not nothing. Keep a decoder that you use often in a constant.
public struct ResultDecoder<T>: Sendable {
    private let transform: @Sendable (Data) throws -> T

    /// Creates a decoder from a function.
    ///
    /// - Parameter transform: A function that turns the bytes of a body into a value. An error that it throws becomes
    ///   ``NetworkError/decodingError(_:)``; a `NetworkError` stays what it is. Tasks with a handler call it on the
    ///   session's delegate queue, `async` methods call it off the caller's actor.
    public init(_ transform: @escaping @Sendable (Data) throws -> T) {
        self.transform = transform
    }

    /// Decodes the body of a success. A failure passes through untouched.
    ///
    /// - Parameter result: The result of a request for bytes.
    /// - Returns: The value, the given failure, or ``NetworkError/decodingError(_:)``.
    public func decode(_ result: DataResult) -> Result<T, NetworkError> {
        result.flatMap { data in
            do {
                return .success(try transform(data))
            } catch let error as NetworkError {
                return .failure(error)
            } catch {
                return .failure(.decodingError(error))
            }
        }
    }

    /// Creates a decoder that transforms the value of this decoder.
    ///
    /// - Parameter transform: A function that turns the decoded value into another one. An error that it throws becomes
    ///   ``NetworkError/decodingError(_:)``; a `NetworkError` stays what it is.
    /// - Returns: A decoder that does both.
    public func map<U>(_ transform: @escaping @Sendable (T) throws -> U) -> ResultDecoder<U> {
        ResultDecoder<U> { [decode = self.transform] data in
            try transform(decode(data))
        }
    }

    /// Creates a decoder that reads the body as text.
    ///
    /// - Parameter encoding: The encoding of the text, whatever the headers say.
    /// - Returns: The decoder. If the body is not text in this encoding, the result is
    ///   ``NetworkError/decodingError(_:)`` with a `DecodingError` that names `String`.
    public static func string(encoding: String.Encoding = .utf8) -> ResultDecoder where T == String {
        binary { data in
            String(data: data, encoding: encoding)
        }
    }

    /// Creates a decoder from an initializer that takes `Data` and may fail.
    ///
    /// ```swift
    /// session.dataTask(with: url, decoder: .binary(UIImage.init(data:))) { result in … }
    /// ```
    ///
    /// - Parameter make: A function that turns the body into a value. If it cannot, it returns `nil` or throws.
    /// - Returns: The decoder. A thrown error becomes ``NetworkError/decodingError(_:)``. `nil` becomes the same with a
    ///   `DecodingError` that names the type.
    public static func binary(_ make: @escaping @Sendable (Data) throws -> T?) -> ResultDecoder {
        ResultDecoder { data in
            if let value = try make(data) { return value }
            throw DecodingError.typeMismatch(T.self, .init(codingPath: [], debugDescription: "Found other bytes."))
        }
    }
}

extension ResultDecoder where T == Data {
    /// A decoder that gives the body as it came.
    public static var data: ResultDecoder { ResultDecoder { data in data } }
}

extension ResultDecoder where T == Void {
    /// A decoder that ignores the body, for when only success matters. Any body will do, also none.
    public static var ignored: ResultDecoder { ResultDecoder { _ in } }
}
