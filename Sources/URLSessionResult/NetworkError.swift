import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a request gave nothing to work with.
///
/// Every failure of the library is one of these five cases, and each keeps what is known: the response of a server that
/// refused, or the error that lies underneath.
public enum NetworkError: Error, Sendable {
    /// The exchange itself failed: no connection, a timeout, a cancellation, TLS, a truncated body.
    ///
    /// The error is a `URLError`, or the file system's error when a body could not be read from or written to a file.
    case transportError(any Error)

    /// The server answered with a status code outside the accepted ones.
    ///
    /// The response holds its headers and its body, for a download the first mebibyte of it; a body that is absent is
    /// empty `Data`.
    case serverError(statusCode: Int, response: NetworkResponse<Data>)

    /// There was neither data nor an error.
    case noData

    /// The body is not what the decoder wants.
    ///
    /// The error is what the decoder threw, a `DecodingError` for JSON and property lists.
    case decodingError(any Error)

    /// The request body could not be made.
    case encodingError(any Error)
}

extension NetworkError {
    /// Decides whether what a completion handler was given is a failure, and which one.
    ///
    /// | given | decision |
    /// | --- | --- |
    /// | an `error`, whatever else | ``transportError(_:)`` |
    /// | an HTTP status code that is not accepted | ``serverError(statusCode:response:)`` |
    /// | no `data` | ``noData`` |
    /// | anything else: also an empty body, or a response that is not HTTP | `nil` |
    ///
    /// This is the only place in the library that makes this decision.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - response: The response, usually an `HTTPURLResponse`.
    ///   - error: The error of the exchange.
    ///   - statusCodes: The HTTP status codes that count as success.
    public init?(
        data: Data?, response: URLResponse?, error: (any Error)?,
        accepting statusCodes: some Collection<Int> = 200..<300
    ) {
        if let error {
            self = .transportError(error)
        } else if let response = response as? HTTPURLResponse, !statusCodes.contains(response.statusCode) {
            let body = NetworkResponse(body: data ?? Data(), urlResponse: response)
            self = .serverError(statusCode: response.statusCode, response: body)
        } else if data == nil {
            self = .noData
        } else {
            return nil
        }
    }

    /// The HTTP status code of a ``serverError(statusCode:response:)``, otherwise `nil`.
    public var statusCode: Int? {
        if case .serverError(let statusCode, _) = self { statusCode } else { nil }
    }

    /// The whole response of a ``serverError(statusCode:response:)``, otherwise `nil`.
    public var response: NetworkResponse<Data>? {
        if case .serverError(_, let response) = self { response } else { nil }
    }

    /// The `URLError` of a ``transportError(_:)``, otherwise `nil`.
    public var urlError: URLError? {
        guard case .transportError(let error) = self else { return nil }
        let bridged = error as NSError
        // A cast would not do: on Linux an NSError of this domain is no URLError.
        let code: URLError.Code? = bridged.domain == NSURLErrorDomain ? URLError.Code(rawValue: bridged.code) : nil
        return code.map { URLError($0, userInfo: bridged.userInfo) }
    }

    /// Whether the request was cancelled, which is seldom worth telling a person.
    public var isCancelled: Bool {
        if case .transportError(_ as CancellationError) = self { true } else { urlError?.code == .cancelled }
    }
}
