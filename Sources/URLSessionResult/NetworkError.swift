import Foundation
internal import URLSessionResultTransport

/// The reason why a request gave no usable value.
///
/// Each case keeps what is known: the response of the server, or the underlying error.
///
/// 1.x adds no case, so a `switch` needs no `default`. Another way to fail would be a ``transportError(_:)``.
@frozen public enum NetworkError: Error, Sendable {
    /// The exchange itself failed: no connection, a timeout, a cancellation, TLS, a truncated body.
    ///
    /// The error is usually a `URLError`, or the file system's error if a file could not be read or written. It may be any other:
    /// that of a second reader of a body, `CocoaError.featureUnsupported` for an `async` method of a background session, or what
    /// a `URLProtocol` gives.
    case transportError(any Error)

    /// The server answered with a status code that is not accepted.
    ///
    /// The response has the headers and the body. A download and a stream keep the first 1 MiB of the body. An absent body
    /// is empty `Data`.
    case serverError(statusCode: Int, response: NetworkResponse<Data>)

    /// `URLSession` gave neither data nor an error. An empty body is not this: it is empty `Data`.
    case noData

    /// The decoder could not read the body.
    ///
    /// The error is the one that the decoder threw: a `DecodingError` for JSON and property lists. For a line, an event or an
    /// element, it is a `DecodingError` whose coding path begins with that part; if the decoder threw another error, that is the
    /// underlying error. The response is the one that was decoded, with its body, or `nil` if the decoder was given bytes without a
    /// response. For a stream, the body is the line, event or element that could not be decoded, or the first 1 MiB of a body that
    /// is no event stream.
    case decodingError(any Error, response: NetworkResponse<Data>?)

    /// The request body could not be encoded.
    case encodingError(any Error)

    /// The HTTP status code of a ``serverError(statusCode:response:)``, otherwise `nil`.
    public var statusCode: Int? {
        guard case .serverError(let statusCode, _) = self else { return nil }
        return statusCode
    }

    /// The whole response of a ``serverError(statusCode:response:)`` or a ``decodingError(_:response:)``, otherwise
    /// `nil`.
    public var response: NetworkResponse<Data>? {
        switch self {
        case .serverError(_, let response): response
        case .decodingError(_, let response): response
        case .transportError, .noData, .encodingError: nil
        }
    }

    /// The error of a ``transportError(_:)``, a ``decodingError(_:response:)`` or an ``encodingError(_:)``, otherwise
    /// `nil`.
    ///
    /// It may quote a URL with its query, or values of a body. Don't log it; log the `NetworkError`.
    public var underlyingError: (any Error)? {
        switch self {
        case .transportError(let error), .decodingError(let error, _), .encodingError(let error): error
        case .serverError, .noData: nil
        }
    }

    /// The `URLError` of a ``transportError(_:)``, otherwise `nil`.
    ///
    /// Its code is that of Apple's `URLSession` on Linux, too, where the message may be libcurl's.
    public var urlError: URLError? {
        guard case .transportError(let error) = self else { return nil }
        return error.asURLError
    }

    /// Whether the request was cancelled, by your code or by a delegate.
    ///
    /// A delegate that rejects a certificate cancels the request, too. If your code awaits the result, `Task.isCancelled`
    /// says whether your code cancelled it.
    public var isCancelled: Bool {
        if case .transportError(let error) = self, error is CancellationError { return true }
        return urlError?.code == .cancelled
    }
}

extension NetworkError {
    /// Decides whether the arguments of a completion handler are a failure, and which one.
    ///
    /// | arguments | decision |
    /// | --- | --- |
    /// | a `NetworkError`, whatever the others are | that error |
    /// | any other `error`, whatever the others are | ``transportError(_:)`` |
    /// | an HTTP status code that is not accepted | ``serverError(statusCode:response:)`` |
    /// | no `data`, and no status code that means an empty body (204, 205, 304) | ``noData`` |
    /// | anything else, including an empty body or a response that is not HTTP | `nil` |
    ///
    /// The library makes this decision nowhere else.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - response: The response, usually an `HTTPURLResponse`.
    ///   - error: The error of the exchange.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    public init?(
        data: Data?, response: URLResponse?, error: (any Error)?, accepting codes: some Collection<Int> = 200..<300
    ) {
        if let error {
            self = error as? NetworkError ?? .transportError(error)
            return
        }
        let statusCode = (response as? HTTPURLResponse)?.statusCode
        if let response, let statusCode, !codes.contains(statusCode) {
            let rejected = NetworkResponse(body: data ?? Data(), urlResponse: response)
            self = .serverError(statusCode: statusCode, response: rejected)
            return
        }
        guard data == nil else { return nil }
        if let statusCode, statusCodesWithoutBody.contains(statusCode) { return nil }
        self = .noData
    }
}

extension NetworkError {
    /// A `transportError` with an error of `URLSession`.
    package static func transportError(code: URLError.Code) -> NetworkError { .transportError(URLError(code)) }
}

extension NetworkError {
    /// How many bytes an error keeps of a body that is not read into memory as a whole: that of a download or a stream.
    package static let keptByteCount = 1024 * 1024
}

extension Data {
    /// Appends bytes, up to the number that an error keeps.
    ///
    /// - Returns: Whether there are as many now.
    @discardableResult
    package mutating func keep(_ data: Data) -> Bool {
        append(data.prefix(NetworkError.keptByteCount - count))
        return count == NetworkError.keptByteCount
    }
}
