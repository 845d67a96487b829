/// The method of a request (RFC 9110, section 9), such as `.get` or `.put`.
///
/// Write other methods as a literal: `let propfind: HTTPMethod = "PROPFIND"`. Methods are case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as it is sent, such as `"GET"`.
    public let rawValue: String

    /// Creates a method from its name.
    ///
    /// - Parameter rawValue: The method as it is sent, such as `"GET"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method from a literal.
    ///
    /// - Parameter value: The method as it is sent, such as `"GET"`.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Requests a representation of the resource.
    public static var get: HTTPMethod { "GET" }

    /// Sends data for the resource to process.
    public static var post: HTTPMethod { "POST" }

    /// Replaces the resource.
    public static var put: HTTPMethod { "PUT" }

    /// Changes a part of the resource (RFC 5789).
    public static var patch: HTTPMethod { "PATCH" }

    /// Removes the resource.
    public static var delete: HTTPMethod { "DELETE" }

    /// Requests the headers that `get` would give, without the body.
    public static var head: HTTPMethod { "HEAD" }

    /// Requests the methods that the resource supports.
    public static var options: HTTPMethod { "OPTIONS" }
}
