import Foundation

/// A token that allows the use of an API.
public struct AccessToken: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The token as it is sent.
    public var value: String

    /// The time from which on the server rejects the token, or `nil` if it is unknown.
    public var expiry: Date?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token as it is sent.
    ///   - expiry: The time from which on the server rejects the token.
    public init(_ value: String, expiry: Date? = nil) {
        self.value = value
        self.expiry = expiry
    }

    /// Creates a token with an unknown expiry.
    public init(stringLiteral value: String) { self.init(value) }
}
