import Foundation
internal import URLSessionResultJSON
internal import URLSessionResultTransport

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

    private let collectedMetrics: CollectedMetrics?

    /// Creates a response from a body and the `URLResponse` that it came with.
    ///
    /// - Parameters:
    ///   - body: The body, as bytes or decoded.
    ///   - urlResponse: The response that the body came with.
    public init(body: Body, urlResponse: URLResponse) {
        self.init(body: body, urlResponse: urlResponse, collecting: nil)
    }

    /// Creates a response with metrics, for a test or a preview.
    ///
    /// - Parameters:
    ///   - body: The body, as bytes or decoded.
    ///   - urlResponse: The response that the body came with.
    ///   - metrics: What was measured of the request.
    public init(body: Body, urlResponse: URLResponse, metrics: TransferMetrics) {
        self.init(body: body, urlResponse: urlResponse, collecting: CollectedMetrics(metrics.transaction))
    }

    /// Creates a response that gets its metrics when its request is over, or never if `metrics` is nil.
    init(body: Body, urlResponse: URLResponse, collecting metrics: CollectedMetrics?) {
        self.body = body
        self.urlResponse = urlResponse
        collectedMetrics = metrics
    }

    /// What was measured of the request, or `nil` if that is not known.
    ///
    /// A request is measured if its call gives a `NetworkResponse`: by the decoder `response`, as `downloadResponse` and `bytesResult` do,
    /// and by a client. The responses of its errors have metrics then, too. Other calls measure nothing.
    ///
    /// A stream has metrics when its body has arrived, and none if you cancel it. If a `URLProtocol` has answered, as that of a stub,
    /// or a cache, nothing is known.
    ///
    /// On Apple's platforms, the task of a measured request has a delegate of the library. It gives the metrics to the delegate of
    /// the request, or otherwise to the session's. If you set another one before you resume the task, nothing is known.
    public var metrics: TransferMetrics? {
        collectedMetrics?.withLock { $0 }.map { TransferMetrics(transaction: $0) }
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
        try NetworkResponse<T>(body: transform(body), urlResponse: urlResponse, collecting: collectedMetrics)
    }

    /// Decodes the body, for example the error that an API describes in the body of a 4xx response.
    ///
    /// - Parameter decoder: The decoder for the body.
    /// - Returns: The decoded body, or ``NetworkError/decodingError(_:response:)``.
    public func decode<T>(with decoder: ResultDecoder<T>) -> Result<T, NetworkError> where Body == Data {
        decoder.decode(received: ReceivedBody(data: body, response: urlResponse, metrics: collectedMetrics))
    }

    /// Checks the status code and decodes the body, for a request that accepted every status code at first, with `0...999`. The
    /// result is that of a method that takes the same decoder and status codes.
    ///
    /// ```swift
    /// let albums = response.decode(
    ///     with: .json([Album].self), accepting: 200..<300)
    /// ```
    ///
    /// It runs on the caller's actor.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    /// - Returns: The decoded body, or ``NetworkError/serverError(statusCode:response:)`` for another status code, or
    ///   ``NetworkError/decodingError(_:response:)``. A response that is not HTTP has no status code, and is decoded.
    public func decode<T>(
        with decoder: ResultDecoder<T>, accepting codes: some Collection<Int>
    ) -> Result<T, NetworkError> where Body == Data {
        if let error = NetworkError(data: body, response: urlResponse, error: nil, accepting: codes) {
            return .failure(error.adding(collectedMetrics))
        }
        return decode(with: decoder)
    }
}

extension NetworkResponse where Body == Data {
    /// Decodes the body that a client has received, as ``decode(with:)`` does.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for the body.
    ///   - jsonDecoder: The `JSONDecoder` of the client.
    /// - Returns: The decoded body, or the error.
    package func decode<T>(with decoder: ResultDecoder<T>, or jsonDecoder: JSONDecoder) -> Result<T, NetworkError> {
        let json = SharedJSONDecoder(decoder: jsonDecoder)
        return decoder.decode(
            received: ReceivedBody(
                data: body, response: urlResponse, jsonDecoder: json, metrics: collectedMetrics))
    }
}

extension NetworkResponse: CustomReflectable {
    /// A mirror of the status code and the body, so that `dump(_:)` shows neither the URL nor a header.
    public var customMirror: Mirror { Mirror(self, children: ["statusCode": statusCode as Any, "body": body]) }
}

extension NetworkResponse: Sendable where Body: Sendable {}

extension NetworkError {
    /// The error with metrics in its response, if it is a `serverError`. Other errors stay what they are.
    func adding(_ metrics: CollectedMetrics?) -> NetworkError {
        guard let metrics, case .serverError(let statusCode, let response) = self else { return self }
        let measured = NetworkResponse(
            body: response.body, urlResponse: response.urlResponse, collecting: metrics)
        return .serverError(statusCode: statusCode, response: measured)
    }
}

extension NetworkResponse {
    /// The type and subtype of the body, without parameters, or nil if the server did not tell.
    package var contentType: String? {
        let type = header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        return type?.isEmpty == false ? type : nil
    }
}
