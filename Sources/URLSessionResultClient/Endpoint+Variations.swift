import Foundation

extension Endpoint {
    /// Returns the endpoint with a change of its request. The change is made before the middleware sees the request.
    ///
    /// ```swift
    /// let patient = endpoint.configured { $0.timeoutInterval = 600 }
    /// ```
    ///
    /// - Parameter change: A function that changes the request. A header field with a line break is a `NetworkError.encodingError`. But
    ///   on Linux, `setValue(_:forHTTPHeaderField:)` of `URLRequest` leaves out such a field silently: use ``headers`` for values that
    ///   are not your own.
    /// - Returns: The endpoint.
    public func configured(_ change: @escaping @Sendable (inout URLRequest) -> Void) -> Endpoint {
        var endpoint = self
        endpoint.configure = { [configure] request in
            configure(&request)
            change(&request)
        }
        return endpoint
    }

    /// Returns the endpoint with another value, which is made from its own.
    ///
    /// - Parameter transform: A function that makes the value. An error that it throws is that of a
    ///   `NetworkError.decodingError`.
    /// - Returns: The endpoint.
    public func map<U>(_ transform: @escaping @Sendable (Value) throws -> U) -> Endpoint<U> {
        Endpoint<U>(self, decoder: decoder.map(transform))
    }

    /// The endpoint with a value that is `nil` if the body of the response is empty, as with status 204.
    public var optional: Endpoint<Value?> { Endpoint<Value?>(self, decoder: decoder.orNilIfEmpty) }
}
