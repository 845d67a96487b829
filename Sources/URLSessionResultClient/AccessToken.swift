import Foundation

/// A token that allows the use of an API. If it is printed, its ``value`` is not shown.
public struct AccessToken: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The token as it is sent.
    public var value: String

    /// The time from which on the server rejects the token, or `nil` if it is unknown.
    public var expiry: Date?

    /// The word before the token in the header field, such as `Basic`, or `nil` for that of the ``TokenAuthentication`` that sends it.
    public var scheme: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token as it is sent.
    ///   - expiry: The time from which on the server rejects the token.
    ///   - scheme: The word before the token, or `nil` for that of the middleware.
    public init(_ value: String, expiry: Date? = nil, scheme: String? = nil) {
        self.value = value
        self.expiry = expiry
        self.scheme = scheme
    }

    /// Creates a token with an unknown expiry.
    public init(stringLiteral value: String) { self.init(value) }
}

extension AccessToken {
    /// Makes the token of Basic authentication (RFC 7617) from a user name and a password.
    ///
    /// ```swift
    /// let basic = try TokenAuthentication(
    ///     .basic(user: "joni", password: "blue"), for: api)
    /// ```
    ///
    /// - Parameters:
    ///   - user: The name of the user.
    ///   - password: The password. Both are sent as UTF-8.
    /// - Returns: The token, with the scheme `Basic` and without an expiry.
    /// - Throws: `NetworkError.encodingError` for a user name with a colon, because the server could not tell where it ends.
    public static func basic(user: String, password: String) throws(NetworkError) -> AccessToken {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .invalid("user", "A user name has no colon.") }
        return AccessToken(Data("\(user):\(password)".utf8).base64EncodedString(), scheme: "Basic")
    }
}
