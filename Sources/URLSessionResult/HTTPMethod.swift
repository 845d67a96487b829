/// The method of a request (RFC 9110, section 9), such as `.get` or `.put`.
///
/// Methods that have no name here are written as a literal: `let propfind: HTTPMethod = "PROPFIND"`. Methods are
/// case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as it is sent, such as `"GET"`.
    public let rawValue: String

    /// Makes a method of its name.
    ///
    /// - Parameter rawValue: The method as it is sent, such as `"GET"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a method of a literal.
    ///
    /// - Parameter value: The method as it is sent, such as `"GET"`.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Asks for a representation of the resource.
    public static let get: HTTPMethod = "GET"

    /// Hands data to the resource to be processed.
    public static let post: HTTPMethod = "POST"

    /// Replaces the resource.
    public static let put: HTTPMethod = "PUT"

    /// Changes a part of the resource (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"

    /// Removes the resource.
    public static let delete: HTTPMethod = "DELETE"

    /// Asks for the headers that `get` would give.
    public static let head: HTTPMethod = "HEAD"

    /// Asks what the resource can do.
    public static let options: HTTPMethod = "OPTIONS"
}
