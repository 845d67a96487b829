import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A body together with the response it came in, for when the status code or the headers matter.
public struct NetworkResponse<Body>: CustomStringConvertible {
    /// The body, as bytes or decoded.
    public let body: Body

    /// The response as `URLSession` gave it.
    public let urlResponse: URLResponse

    /// Puts a body and its response together.
    ///
    /// - Parameters:
    ///   - body: The body, as bytes or decoded.
    ///   - urlResponse: The response that the body came in.
    public init(body: Body, urlResponse: URLResponse) { (self.body, self.urlResponse) = (body, urlResponse) }

    /// The HTTP status code, or `nil` for a response that is not HTTP.
    public var statusCode: Int? { (urlResponse as? HTTPURLResponse)?.statusCode }

    /// The status code and the type of the body, without any header value or content, so that it may be logged.
    public var description: String { "NetworkResponse<\(Body.self)>(statusCode: \(statusCode, default: "none"))" }

    /// Returns the value of a header.
    ///
    /// - Parameter name: The name of the header, in any capitalisation (RFC 9110, section 5.1).
    /// - Returns: The value, or `nil` when the response has no such header or is not HTTP.
    public func header(_ name: String) -> String? { (urlResponse as? HTTPURLResponse)?.value(forHTTPHeaderField: name) }

    /// Transforms the body and keeps the response.
    ///
    /// - Parameter transform: What to make of the body.
    /// - Returns: The transformed body in the same response.
    /// - Throws: What `transform` throws.
    public func map<T>(_ transform: (Body) throws -> T) rethrows -> NetworkResponse<T> {
        try NetworkResponse<T>(body: transform(body), urlResponse: urlResponse)
    }

    /// Decodes the body, for example the error that an API describes in the body of its 4xx answers.
    ///
    /// - Parameter decoder: How to decode the body.
    /// - Returns: The decoded body, or ``NetworkError/decodingError(_:)``.
    public func decode<T>(with decoder: ResultDecoder<T>) -> Result<T, NetworkError> where Body == Data {
        decoder.decode(.success(body))
    }
}

extension NetworkResponse: Sendable where Body: Sendable {}
