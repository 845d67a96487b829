import Foundation
internal import URLSessionResultTransport

extension Result where Success == Data, Failure == NetworkError {
    /// Creates a result from the arguments of a completion handler, for code that keeps its `completionHandler:`.
    ///
    /// ```swift
    /// session.dataTask(with: request) { data, response, error in
    ///     let result = DataResult(
    ///         data: data, response: response, error: error)
    /// }
    /// ```
    ///
    /// ``NetworkError/init(data:response:error:accepting:)`` decides what counts as a failure.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - response: The response, usually an `HTTPURLResponse`.
    ///   - error: The error of the exchange.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    public init(
        data: Data?, response: URLResponse?, error: (any Error)?, accepting codes: some Collection<Int> = 200..<300
    ) {
        if let failure = NetworkError(data: data, response: response, error: error, accepting: codes) {
            self = .failure(failure)
        } else {
            self = .success(data ?? Data())
        }
    }

    /// Decodes the body of a success. A failure passes through untouched.
    ///
    /// ```swift
    /// let body = DataResult(
    ///     data: data, response: response, error: error)
    /// let album = body.decode(with: .json(Album.self))
    /// ```
    ///
    /// - Parameter decoder: The decoder for the body.
    /// - Returns: As ``ResultDecoder/decode(_:)``.
    public func decode<T>(with decoder: ResultDecoder<T>) -> Result<T, NetworkError> {
        decoder.decode(self)
    }
}

extension Result where Success == NetworkResponse<Data>, Failure == NetworkError {
    /// Creates a result with status code and headers from the arguments of a completion handler.
    ///
    /// ```swift
    /// session.dataTask(with: request) { data, response, error in
    ///     let result = Result<NetworkResponse<Data>, NetworkError>(
    ///         data: data, response: response, error: error)
    /// }
    /// ```
    ///
    /// As `DataResult.init(data:response:error:accepting:)`, but a success has its response. A success without a response is
    /// ``NetworkError/noData``. `Result(data: …)` without a type is a ``DataResult``.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - response: The response, usually an `HTTPURLResponse`.
    ///   - error: The error of the exchange.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    @_disfavoredOverload
    public init(
        data: Data?, response: URLResponse?, error: (any Error)?, accepting codes: some Collection<Int> = 200..<300
    ) {
        self = DataResult(data: data, response: response, error: error, accepting: codes).flatMap { body in
            guard let response else { return .failure(.noData) }
            return .success(NetworkResponse(body: body, urlResponse: response))
        }
    }
}

extension Result where Success == URL, Failure == NetworkError {
    /// Creates a result from what the delegate of a download is told, for example in a background session.
    ///
    /// ```swift
    /// func urlSession(
    ///     _ session: URLSession, downloadTask: URLSessionDownloadTask,
    ///     didFinishDownloadingTo file: URL
    /// ) {
    ///     let result = Result(
    ///         file: file, response: downloadTask.response, error: nil)
    /// }
    /// ```
    ///
    /// ``NetworkError/init(data:response:error:accepting:)`` decides what counts as a failure. A
    /// ``NetworkError/serverError(statusCode:response:)`` has the first 1 MiB of the file as its body.
    ///
    /// - Parameters:
    ///   - file: The downloaded file.
    ///   - response: The response of the task.
    ///   - error: The error of the task.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    public init(
        file: URL?, response: URLResponse?, error: (any Error)?, accepting codes: some Collection<Int> = 200..<300
    ) {
        self = TaskOutcome(file: file, response: response, error: error).file(accepting: codes)
    }
}

extension Result where Failure == NetworkError {
    /// The error of a failure, otherwise `nil`.
    var failure: NetworkError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
