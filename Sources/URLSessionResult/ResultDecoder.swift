import Foundation

/// A way to turn a body into a value: a function with a name, made once and passed with a leading dot.
///
/// ```swift
/// let albums = ResultDecoder.jsonValues(of: Album.self).map { albums in
///     albums.sorted { $0.year < $1.year }
/// }
///
/// session.dataTask(with: url, decoder: albums) { result in … }
/// ```
///
/// Making one is cheap, but not free: a decoder that is used often belongs in a constant.
public struct ResultDecoder<T>: Sendable {
    private let transform: @Sendable (Data) throws -> T

    /// Makes a decoder of a function.
    ///
    /// - Parameter transform: Turns the bytes of a body into a value. What it throws becomes
    ///   ``NetworkError/decodingError(_:)``, except a `NetworkError`, which stays what it is. It runs wherever the
    ///   body arrives: on the session's delegate queue for callbacks, off the caller's actor for `async` methods.
    public init(_ transform: @escaping @Sendable (Data) throws -> T) { self.transform = transform }

    /// Decodes the body of a success; a failure passes through untouched.
    ///
    /// - Parameter result: The result of a request for bytes.
    /// - Returns: The value, the failure that was given, or ``NetworkError/decodingError(_:)``.
    public func decode(_ result: DataResult) -> Result<T, NetworkError> {
        result.flatMap { data in Result { try transform(data) }.mapError { $0 as? NetworkError ?? .decodingError($0) } }
    }

    /// Makes a decoder that transforms what this one decodes.
    ///
    /// - Parameter transform: Turns the decoded value into another. What it throws becomes
    ///   ``NetworkError/decodingError(_:)``, except a `NetworkError`, which stays what it is.
    /// - Returns: The decoder that does both.
    public func map<U>(_ transform: @escaping @Sendable (T) throws -> U) -> ResultDecoder<U> {
        ResultDecoder<U> { [decode = self.transform] data in try transform(decode(data)) }
    }

    /// Makes a decoder that reads the body as text.
    ///
    /// - Parameter encoding: The encoding of the text, whatever the headers say.
    /// - Returns: The decoder. A body that is no text in this encoding becomes ``NetworkError/decodingError(_:)`` with
    ///   a `DecodingError` that names `String`.
    public static func string(encoding: String.Encoding = .utf8) -> ResultDecoder where T == String {
        binary { data in String(data: data, encoding: encoding) }
    }

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
        ResultDecoder { data in
            if let value = try make(data) { return value }
            throw DecodingError.typeMismatch(T.self, .init(codingPath: [], debugDescription: "Found other bytes."))
        }
    }
}

extension ResultDecoder where T == Data {
    /// The body as it came.
    public static var data: ResultDecoder { ResultDecoder { data in data } }
}

extension ResultDecoder where T == Void {
    /// Nothing, for when success is all that matters. Any body will do, also none.
    public static var ignored: ResultDecoder { ResultDecoder { _ in } }
}
