import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `bytes(for:)` and `bytes(from:)`.
extension URLSession {
    /// Gets the head of a response and streams its body, or gives the reason why there is none.
    ///
    /// Returns when the final head is there, not one before it such as 103 (Early Hints). So you know the status code
    /// before you read the first byte:
    ///
    /// ```swift
    /// switch await session.bytesResult(for: request) {
    /// case .success(let response):
    ///     for try await line in response.body.lines { print(line) }
    /// case .failure(let error): print(error)
    /// }
    /// ```
    ///
    /// Cancelling the Swift task cancels the request, before and after this method has returned.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its `timeoutInterval` limits the time between two pieces of the body.
    ///   - codes: The HTTP status codes that count as success.
    /// - Returns: The response, whose body is still arriving; or ``NetworkError/serverError(statusCode:response:)`` with
    ///   what arrives of the body in two seconds, at most a mebibyte; or ``NetworkError/transportError(_:)`` or
    ///   ``NetworkError/noData``.
    public func bytesResult(
        for request: URLRequest, accepting codes: some StatusCodes = 200..<300
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await awaitResult(reportingTo: nil) { handler in
            makeStreamTask(for: request, response: StreamedResponse(accepting: codes, headHandler: handler))
        }
    }

    /// Gets the head of the response at a URL and streams its body, or gives the reason why there is none.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - codes: The HTTP status codes that count as success.
    /// - Returns: As ``bytesResult(for:accepting:)``.
    public func bytesResult(
        from url: URL, accepting codes: some StatusCodes = 200..<300
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await bytesResult(for: URLRequest(url: url), accepting: codes)
    }
}
