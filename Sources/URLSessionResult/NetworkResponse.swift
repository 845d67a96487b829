import Foundation

/// A body together with its response, for when the status code or the headers matter.
///
/// ```swift
/// let response = try await session.dataResult(
///     from: url, decoder: .response(.json([Album].self))
/// ).get()
/// print(response.body, response.header("ETag") ?? "no ETag")
/// ```
public struct NetworkResponse<Body>: CustomStringConvertible {
    /// The body, as bytes or decoded.
    public let body: Body

    /// The response as `URLSession` gave it.
    public let urlResponse: URLResponse

    /// Creates a response from a body and the `URLResponse` that it came with.
    ///
    /// - Parameters:
    ///   - body: The body, as bytes or decoded.
    ///   - urlResponse: The response that the body came with.
    public init(body: Body, urlResponse: URLResponse) {
        self.body = body
        self.urlResponse = urlResponse
    }

    /// The response as `URLSession` gave it if it is an HTTP response, otherwise `nil`.
    public var httpResponse: HTTPURLResponse? { urlResponse as? HTTPURLResponse }

    /// The HTTP status code, or `nil` for a response that is not HTTP.
    public var statusCode: Int? { httpResponse?.statusCode }

    /// The status code and the type of the body. It shows no header value and no content, so you may log it.
    public var description: String { "NetworkResponse<\(Body.self)>(statusCode: \(statusCode, default: "none"))" }

    /// Returns the value of a header. If the server sent it several times, the values are separated by commas.
    ///
    /// - Parameter name: The name of the header, in any capitalization (RFC 9110, section 5.1).
    /// - Returns: The value without spaces and tabs around it, which are no part of it (RFC 9110, section 5.5), or `nil` if
    ///   the response has no such header or is not HTTP.
    public func header(_ name: String) -> String? {
        let value = httpResponse?.value(forHTTPHeaderField: name)
        return value?.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    /// Transforms the body and keeps the response.
    ///
    /// - Parameter transform: A function that transforms the body.
    /// - Returns: The transformed body with the same response.
    /// - Throws: The error that `transform` throws.
    public func map<T>(_ transform: (Body) throws -> T) rethrows -> NetworkResponse<T> {
        try NetworkResponse<T>(body: transform(body), urlResponse: urlResponse)
    }

    /// Decodes the body, for example the error that an API describes in the body of a 4xx response.
    ///
    /// - Parameter decoder: The decoder for the body.
    /// - Returns: The decoded body, or ``NetworkError/decodingError(_:response:)``.
    public func decode<T>(with decoder: ResultDecoder<T>) -> Result<T, NetworkError> where Body == Data {
        decoder.decode(received: ReceivedBody(data: body, response: urlResponse))
    }
}

extension NetworkResponse: CustomReflectable {
    /// A mirror of the status code and the body, so that `dump(_:)` shows neither the URL nor a header.
    public var customMirror: Mirror { Mirror(self, children: ["statusCode": statusCode as Any, "body": body]) }
}

extension NetworkResponse: Sendable where Body: Sendable {}

extension NetworkResponse {
    /// The type and subtype of the body, without parameters, or nil if the server did not tell.
    package var contentType: String? {
        let type = header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        return type?.isEmpty == false ? type : nil
    }
}
