import Foundation

/// A parser that turns bytes into `Decodable` values, such as `JSONDecoder` and `PropertyListDecoder`.
///
/// Wrap a parser of another format in a type that conforms to use it with ``ResultDecoder/decodable(_:using:)``:
///
/// ```swift
/// struct YAML: DataDecoding {
///     func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
///         try YAMLDecoder().decode(type, from: data)
///     }
/// }
///
/// session.dataTask(with: url, decoder: .decodable(Settings.self, using: YAML())) { result in … }
/// ```
public protocol DataDecoding: Sendable {
    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The bytes to decode.
    /// - Returns: The decoded value.
    /// - Throws: A `DecodingError`, or an error of the parser's own.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

// Foundation declares both classes Sendable from these versions on.
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) extension JSONDecoder: DataDecoding {}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) extension PropertyListDecoder: DataDecoding {}

extension ResultDecoder where T: Decodable & SendableMetatype {
    /// Creates a decoder that uses a parser of another format, for example of property lists.
    ///
    /// ```swift
    /// let settings = ResultDecoder.decodable(Settings.self, using: PropertyListDecoder())
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - parser: The parser. What it throws becomes ``NetworkError/decodingError(_:)``.
    /// - Returns: The decoder.
    public static func decodable(_ type: T.Type = T.self, using parser: some DataDecoding) -> ResultDecoder {
        ResultDecoder { data in try parser.decode(T.self, from: data) }
    }
}
