import Foundation

extension ResultDecoder where T: Decodable & SendableMetatype {
    /// Creates a decoder for property lists.
    ///
    /// ```swift
    /// let settings = ResultDecoder.propertyList(Settings.self)
    /// ```
    ///
    /// Each body is read twice. A body with more than 512 levels is rejected, because it could crash `PropertyListDecoder`. So is a
    /// binary one that repeats its objects so often that it has more than 250,000, and more than 4 for each of its bytes.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The `PropertyListDecoder` to use. Don't change it afterwards: bodies may be decoded on several threads.
    /// - Returns: The decoder. An error of `PropertyListDecoder` becomes ``NetworkError/decodingError(_:response:)``.
    public static func propertyList(
        _ type: T.Type = T.self, using decoder: PropertyListDecoder = PropertyListDecoder()
    ) -> ResultDecoder {
        let shared = SharedPropertyListDecoder(decoder: decoder)
        return ResultDecoder { data in try shared.decoder.decode(T.self, fromUntrusted: data) }
    }
}

/// A `PropertyListDecoder` that several threads use.
///
/// Unchecked, because Foundation declares it `Sendable` only from macOS 13 and iOS 16 on. On older systems, too, it only reads
/// its options while it decodes, and the documentation asks the caller not to change them.
private struct SharedPropertyListDecoder: @unchecked Sendable {
    let decoder: PropertyListDecoder
}
