import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `dataTask(with:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled.
extension URLSession {
    /// Creates a task that gives the body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the body, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask(
        with request: URLRequest, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask { dataTask(with: request) { resultHandler($0.data(accepting: codes)) } }

    /// Creates a task that says only whether the request failed, for when the body does not matter.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: Called once with `nil` for success, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    @_disfavoredOverload public func dataTask(
        with request: URLRequest, accepting codes: some StatusCodes = 200..<300, errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask { dataTask(with: request, accepting: codes) { errorHandler($0.failure) } }

    /// Creates a task that gives the decoded body of the response, or says why there is none.
    ///
    /// Decoding runs on the session's delegate queue, by default one body after another. The `async` twin
    /// ``dataResult(for:decoder:accepting:progress:)`` decodes elsewhere.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the value, or with any ``NetworkError`` but
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask { dataTask(with: request, accepting: codes) { resultHandler(decoder.decode($0)) } }

    /// Creates a task that gives the body at a URL, or says why there is none.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask { dataTask(with: URLRequest(url: url), accepting: codes, resultHandler: resultHandler) }

    /// Creates a task that says only whether getting a URL failed.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: As for ``dataTask(with:accepting:errorHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    @_disfavoredOverload public func dataTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask { dataTask(with: URLRequest(url: url), accepting: codes, errorHandler: errorHandler) }

    /// Creates a task that gives the decoded body at a URL, or says why there is none.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), decoder: decoder, accepting: codes, resultHandler: resultHandler)
    }

    // MARK: Twins of `data(for:)` and `data(from:)`
    //
    // Cancelling the Swift task cancels the request, which gives `NetworkError/transportError(_:)` with
    // `URLError.cancelled`. Decoding runs off the caller's actor and off the session's delegate queue.

    /// Gets the body of the response, decoded, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body; without one it is given as it came.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``.
    public func dataResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T> = .data, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await run(progress, decoder) { dataTask(with: request, accepting: codes, resultHandler: $0) }
    }

    /// Gets the body at a URL, decoded, or says why there is none.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body; without one it is given as it came.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``dataResult(for:decoder:accepting:progress:)``.
    public func dataResult<T>(
        from url: URL, decoder: ResultDecoder<T> = .data, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await dataResult(for: URLRequest(url: url), decoder: decoder, accepting: codes, progress: progress)
    }

    /// Gets the decoded body together with its response, for when headers such as `ETag` or `Link` matter.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body; without one it is given as it came.
    ///   - codes: The HTTP status codes that count as success.
    /// - Returns: The value and its response, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``.
    public func dataResponse<T>(
        for request: URLRequest, decoder: ResultDecoder<T> = .data, accepting codes: some StatusCodes = 200..<300
    ) async -> Result<NetworkResponse<T>, NetworkError> {
        await run { handler in dataTask(with: request) { handler($0.response(accepting: codes)) } }
            .flatMap { response in response.decode(with: decoder).map { body in response.map { _ in body } } }
    }

    /// Gets the decoded body at a URL together with its response.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body; without one it is given as it came.
    ///   - codes: The HTTP status codes that count as success.
    /// - Returns: As ``dataResponse(for:decoder:accepting:)``.
    public func dataResponse<T>(
        from url: URL, decoder: ResultDecoder<T> = .data, accepting codes: some StatusCodes = 200..<300
    ) async -> Result<NetworkResponse<T>, NetworkError> {
        await dataResponse(for: URLRequest(url: url), decoder: decoder, accepting: codes)
    }
}
