import Foundation

/// The path of an ``Endpoint``, relative to the base URL of the client.
///
/// ```swift
/// let path: EndpointPath = "artists/\(artist)/albums"
/// ```
///
/// - `"artists/\(artist)"`: a value is percent-encoded, so `AC/DC` becomes `AC%2FDC`.
/// - `"models/\(path: model)"`: a value with several segments keeps its slashes.
/// - `EndpointPath(path: key)`: the same for a whole path that you have at run time.
/// - `"search?filter[year]=1971"`: what you write yourself stays, except for characters that no URL has.
/// - `"/albums"`: a slash at the beginning makes no difference.
/// - `"https://example.com/a"`: a whole URL that you write yourself takes the place of the base and its query. For a value that is one, use
///   ``init(_:)``.
///
/// Some values would lead to another resource than you mean: an empty one, a segment that is `.` or `..`, a `path:` with a slash
/// at its beginning as the first value, and an array. The error is `NetworkError.transportError` with `URLError.badURL`, and nothing is sent.
public struct EndpointPath: Sendable, ExpressibleByStringInterpolation {
    let content: Content

    enum Content: Sendable {
        case text(String)
        case url(URL)
        case invalid
    }

    /// Creates a path without values.
    public init(stringLiteral value: String) { content = .text(value.percentEncodedWhereNeeded) }

    /// Creates a path with percent-encoded values.
    public init(stringInterpolation: StringInterpolation) {
        content = stringInterpolation.text.map(Content.text) ?? .invalid
    }

    /// Creates a path from text that you have at run time, such as the key of an object.
    ///
    /// - Parameter path: The path. Its slashes stay, one at the beginning makes no difference, and each segment is percent-encoded: so don't
    ///   encode it before. If it is empty, begins with two slashes or has a segment that is `.` or `..`, the error is `URLError.badURL`.
    public init(path: String) {
        let isAbsolute = path.hasPrefix("/")
        self = path == "/" ? "/" : "\(path: isAbsolute ? String(path.dropFirst()) : path)"
    }

    /// Creates a path from a URL, for example of a link in a response.
    ///
    /// - Parameter url: A whole URL, which takes the place of the base, or a relative one, which is resolved against the base
    ///   (RFC 3986, section 5): `albums` replaces the last segment of a base that does not end with a slash, and the query of the base is
    ///   not kept. If the scheme is neither `https` nor `http`, in any capitalization, the error is `URLError.badURL`.
    public init(_ url: URL) { content = .url(url) }

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// Nil if a value would lead to another resource.
        fileprivate var text: String? = ""

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text of the code.
        public mutating func appendLiteral(_ literal: String) { text? += literal.percentEncodedWhereNeeded }

        /// Adds a value, percent-encoded, as a segment or a part of one. An array is none.
        public mutating func appendInterpolation(_ value: some RequestValue) {
            guard !(value is any RequestValueList) else { return text = nil }
            append(value.requestValue, keeping: "")
        }

        /// Adds a value that has several segments, such as `meta/llama`. Its slashes stay.
        public mutating func appendInterpolation(path value: String) {
            let isFirst = text?.allSatisfy { $0 == "/" } == true
            guard !(isFirst && value.hasPrefix("/")) else { return text = nil }
            append(value, keeping: "/")
        }

        private mutating func append(_ value: String, keeping kept: String) {
            // An item of a query may be empty.
            guard !value.isEmpty || text?.contains("?") == true else { return text = nil }
            text? += value.percentEncoded(keeping: kept)
        }
    }
}
