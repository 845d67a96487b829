import Foundation

/// A parser that turns bytes into `Decodable` values, such as `JSONDecoder` and `PropertyListDecoder`.
///
/// To use a parser of another format with ``ResultDecoder/decodable(_:using:)``, wrap it in a type that conforms:
///
/// ```swift
/// struct YAML: DataDecoding {
///     func decode<T: Decodable>(
///         _ type: T.Type, from data: Data
///     ) throws -> T {
///         try YAMLDecoder().decode(type, from: data)
///     }
/// }
///
/// let settings = ResultDecoder.decodable(Settings.self, using: YAML())
/// ```
///
/// A parser may be used on several threads at once. Don't change its options afterwards.
public protocol DataDecoding: SendableMetatype {
    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The bytes to decode.
    /// - Returns: The decoded value.
    /// - Throws: A `DecodingError`, or an error of the parser's own.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONDecoder: DataDecoding {}

extension PropertyListDecoder: DataDecoding {}

extension ResultDecoder where T: Decodable & SendableMetatype {
    /// Creates a decoder that uses a parser of another format, for example of property lists.
    ///
    /// ```swift
    /// let settings = ResultDecoder.decodable(
    ///     Settings.self, using: PropertyListDecoder())
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - parser: The parser. Don't change it afterwards. An error that it throws becomes
    ///     ``NetworkError/decodingError(_:response:)``.
    /// - Returns: The decoder.
    public static func decodable(_ type: T.Type = T.self, using parser: some DataDecoding) -> ResultDecoder {
        let shared = SharedParser(parser: parser)
        return ResultDecoder { data in
            try shared.parser.decode(T.self, from: data)
        }
    }
}

/// A parser that several threads use.
///
/// Unchecked, because Foundation declares its decoders `Sendable` from macOS 13 and iOS 16 on only, and others never do.
/// A parser only reads its options while it decodes, and the documentation asks not to change them.
private struct SharedParser<Parser: DataDecoding>: @unchecked Sendable {
    let parser: Parser
}
