import Foundation
internal import URLSessionResultTransport

/// The HTTP status codes that count as success, such as `200..<300`, `200...399` or `[200, 304]`.
public typealias StatusCodes = Collection<Int> & Sendable

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
