import Foundation
package import URLSessionResultTransport

/// Counterparts of `bytes(for:delegate:)` and `bytes(from:delegate:)`.
extension URLSession {
    /// Gets the headers of a response and streams its body, or gives the reason why there is none.
    ///
    /// Returns when the final headers are there, not those of 103 (Early Hints), for example. So you know the status code
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
    /// The body of an error response is awaited for two seconds at most, even if the server never ends it.
    ///
    /// Cancelling the Swift task cancels the request. After this method has returned, a reader notices it while it waits for the
    /// body, or when it next asks for some.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its `timeoutInterval` limits the time between two pieces of the body.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - delegate: As for ``dataResult(for:accepting:delegate:progress:)``.
    /// - Returns: The response, whose body is still arriving; or ``NetworkError/serverError(statusCode:response:)`` with
    ///   whatever arrives of the body within two seconds, at most 1 MiB, even if the body is cut off; or
    ///   ``NetworkError/transportError(_:)`` or ``NetworkError/noData``.
    @concurrent
    public func bytesResult(
        for request: URLRequest, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await awaitResult(delegate: delegate, reportingTo: nil, accepting: codes) { handler in
            let metrics = CollectedMetrics(nil)
            let response = StreamedResponse(accepting: codes, collecting: metrics, headHandler: handler)
            return makeStreamTask(for: request, collecting: metrics, response: response)
        }
    }

    /// Gets the headers of the response at a URL and streams its body, as ``bytesResult(for:accepting:delegate:)`` does.
    @concurrent
    public func bytesResult(
        from url: URL, accepting codes: some StatusCodes = 200..<300, delegate: (any URLSessionTaskDelegate)? = nil
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await bytesResult(for: URLRequest(url: url), accepting: codes, delegate: delegate)
    }

    /// Sends a body and gets the headers of the response, as ``bytesResult(for:accepting:delegate:)`` does. `progress` is called
    /// while the body is sent.
    @concurrent
    package func bytesResult(
        for request: URLRequest, uploading body: UploadedBody, accepting codes: some StatusCodes,
        progress: ProgressHandler?
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await awaitResult(delegate: nil, reportingTo: progress, accepting: codes, uploading: body) { handler in
            let metrics = CollectedMetrics(nil)
            let response = StreamedResponse(accepting: codes, collecting: metrics, headHandler: handler)
            return makeStreamTask(for: request, uploading: body, collecting: metrics, response: response)
        }
    }
}
