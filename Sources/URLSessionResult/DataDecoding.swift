import Foundation

/// A parser that turns bytes into `Decodable` values, such as `JSONDecoder` and `PropertyListDecoder`.
///
/// To use a parser of another format with ``ResultDecoder/decodable(_:using:)-(_,SendableDataDecoding)``, wrap it in a type
/// that conforms:
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
/// Several threads may use a parser at once, so it has to be `Sendable`. A structure that makes a decoder for each body is.
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
    /// Creates a decoder that uses another parser: see ``DataDecoding``.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - parser: The parser. An error that it throws becomes ``NetworkError/decodingError(_:response:)``.
    /// - Returns: The decoder.
    public static func decodable(
        _ type: T.Type = T.self, using parser: some DataDecoding & Sendable
    ) -> ResultDecoder {
        // A generic function of the caller chooses this one for Foundation's parsers, too.
        if let decoder = parser as? JSONDecoder { return .json(using: decoder) }
        if let decoder = parser as? PropertyListDecoder { return .decodable(using: decoder) }
        return ResultDecoder { data in try parser.decode(T.self, from: data) }
    }

    /// Creates a decoder for property lists.
    ///
    /// ```swift
    /// let settings = ResultDecoder.decodable(
    ///     Settings.self, using: PropertyListDecoder())
    /// ```
    ///
    /// Each body is read twice. A body with more than 512 levels is rejected, because it could crash `PropertyListDecoder`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The `PropertyListDecoder` to use. Don't change it afterwards. Its error becomes
    ///     ``NetworkError/decodingError(_:response:)``.
    /// - Returns: The decoder.
    public static func decodable(_ type: T.Type = T.self, using decoder: PropertyListDecoder) -> ResultDecoder {
        let shared = SharedParser(parser: decoder)
        return ResultDecoder { data in try shared.parser.decode(T.self, fromUntrusted: data) }
    }

    /// Creates a decoder for JSON, as ``json(_:at:using:)`` does.
    public static func decodable(_ type: T.Type = T.self, using decoder: JSONDecoder) -> ResultDecoder {
        .json(using: decoder)
    }
}

/// A parser of Foundation that several threads use.
///
/// Unchecked, because Foundation declares it `Sendable` only from macOS 13 and iOS 16 on. On older systems, too, it only reads
/// its options while it decodes, and the documentation asks the caller not to change them.
struct SharedParser: @unchecked Sendable {
    let parser: PropertyListDecoder
}
