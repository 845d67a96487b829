internal import URLSessionResultTransport

/// The method of a request (RFC 9110, section 9), such as `.get` or `.put`.
///
/// Write other methods as a literal: `let propfind: HTTPMethod = "PROPFIND"`. If the name comes from a user or a file, use
/// ``init(rawValue:)``, which gives `nil` for an invalid one.
///
/// Methods are case-sensitive. On Linux, however, `URLRequest` writes GET, HEAD, POST, PUT, DELETE and CONNECT in capitals: `gEt` is
/// sent as `GET`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as it is sent, such as `"GET"`.
    public let rawValue: String

    /// Creates a method from a name that a user or a file gives.
    ///
    /// - Parameter rawValue: The method as it is sent: letters, digits, the backtick and `!#$%&'*+-.^_|~` (RFC 9110, sections
    ///   5.6.2 and 9.1). If it is empty or has any other character, the result is `nil`: a space or a line break would end the
    ///   method early in the request.
    public init?(rawValue: String) {
        guard !rawValue.isEmpty, rawValue.utf8.allSatisfy(\.isInToken) else { return nil }
        self.init(unchecked: rawValue)
    }

    /// Creates a method from a literal, which is not checked. The client sends no method that is no token.
    ///
    /// - Parameter value: The method as it is sent, such as `"GET"`.
    public init(stringLiteral value: String) { self.init(unchecked: value) }

    /// Creates a method without a check: the name is known to be valid, or it is checked before the request is sent.
    package init(unchecked name: String) { rawValue = name }

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
