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
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the body, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask(
        with request: URLRequest, accepting statusCodes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask {
        dataTask(with: request, outcomeHandler: { resultHandler($0.data(accepting: statusCodes)) })
    }

    /// Creates a task that says only whether the request failed, for when the body does not matter.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - errorHandler: Called once with `nil` for success, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    @_disfavoredOverload
    public func dataTask(
        with request: URLRequest, accepting statusCodes: some StatusCodes = 200..<300,
        errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask {
        dataTask(with: request, accepting: statusCodes) { errorHandler($0.failure) }
    }

    /// Creates a task that gives the decoded body of the response, or says why there is none.
    ///
    /// Decoding runs on the session's delegate queue, by default one body after another. The `async` twin
    /// ``dataResult(for:decoder:accepting:progress:)`` decodes elsewhere.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the value, or with any ``NetworkError`` but
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting statusCodes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        dataTask(with: request, accepting: statusCodes) { resultHandler(decoder.decode($0)) }
    }

    /// Creates a task that gives the body at a URL, or says why there is none.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask(
        with url: URL, accepting statusCodes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), accepting: statusCodes, resultHandler: resultHandler)
    }

    /// Creates a task that says only whether getting a URL failed.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - errorHandler: As for ``dataTask(with:accepting:errorHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    @_disfavoredOverload
    public func dataTask(
        with url: URL, accepting statusCodes: some StatusCodes = 200..<300, errorHandler: @escaping ErrorHandler
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), accepting: statusCodes, errorHandler: errorHandler)
    }

    /// Creates a task that gives the decoded body at a URL, or says why there is none.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func dataTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting statusCodes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), decoder: decoder, accepting: statusCodes, resultHandler: resultHandler)
    }
}
