import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `uploadTask(with:from:completionHandler:)` and `uploadTask(with:fromFile:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled.
extension URLSession {
    /// Creates a task that sends data and gives the body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - body: The body to send; `nil` for an empty one.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the body, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    public func uploadTask(
        with request: URLRequest, from body: Data?, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionUploadTask { uploadTask(with: request, from: body) { resultHandler($0.data(accepting: codes)) } }

    /// Creates a task that sends data and says only whether that failed.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - body: The body to send; `nil` for an empty one.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: Called once with `nil` for success, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    @_disfavoredOverload public func uploadTask(
        with request: URLRequest, from body: Data?, accepting codes: some StatusCodes = 200..<300,
        errorHandler: @escaping ErrorHandler
    ) -> URLSessionUploadTask { uploadTask(with: request, from: body, accepting: codes) { errorHandler($0.failure) } }

    /// Creates a task that sends data and gives the decoded body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - body: The body to send; `nil` for an empty one.
    ///   - decoder: How to decode the body of the response. It runs on the session's delegate queue.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the value, or with any ``NetworkError`` but
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func uploadTask<T>(
        with request: URLRequest, from body: Data?, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionUploadTask {
        uploadTask(with: request, from: body, accepting: codes) { resultHandler(decoder.decode($0)) }
    }

    /// Creates a task that sends a file and gives the body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - file: The file to send. One that cannot be read is a ``NetworkError/transportError(_:)``. A pipe, and on
    ///     Linux any file, is read at once.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the body, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionUploadTask { uploadTask(with: request, fromFile: file) { resultHandler($0.data(accepting: codes)) } }

    /// Creates a task that sends a file and says only whether that failed.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - file: The file to send. One that cannot be read is a ``NetworkError/transportError(_:)``. A pipe, and on
    ///     Linux any file, is read at once.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: Called once with `nil` for success, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    @_disfavoredOverload public func uploadTask(
        with request: URLRequest, fromFile file: URL, accepting codes: some StatusCodes = 200..<300,
        errorHandler: @escaping ErrorHandler
    ) -> URLSessionUploadTask {
        uploadTask(with: request, fromFile: file, accepting: codes) { errorHandler($0.failure) }
    }

    /// Creates a task that sends a file and gives the decoded body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - file: The file to send. One that cannot be read is a ``NetworkError/transportError(_:)``. A pipe, and on
    ///     Linux any file, is read at once.
    ///   - decoder: How to decode the body of the response. It runs on the session's delegate queue.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the value, or with any ``NetworkError`` but
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func uploadTask<T>(
        with request: URLRequest, fromFile file: URL, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionUploadTask {
        uploadTask(with: request, fromFile: file, accepting: codes) { resultHandler(decoder.decode($0)) }
    }

    // MARK: Twins of `upload(for:from:)` and `upload(for:fromFile:)`
    //
    // Cancelling the Swift task cancels the request, which gives `NetworkError/transportError(_:)` with
    // `URLError.cancelled`. Decoding runs off the caller's actor and off the session's delegate queue.

    /// Sends data and gives the body of the response, decoded, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - body: The body to send.
    ///   - decoder: How to decode the body of the response; without one it is given as it came.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the data is sent.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``.
    public func uploadResult<T>(
        for request: URLRequest, from body: Data, decoder: ResultDecoder<T> = .data,
        accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await run(progress, decoder) { uploadTask(with: request, from: body, accepting: codes, resultHandler: $0) }
    }

    /// Sends a file and gives the body of the response, decoded, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - file: The file to send. One that cannot be read is a ``NetworkError/transportError(_:)``. A pipe, and on
    ///     Linux any file, is read at once.
    ///   - decoder: How to decode the body of the response; without one it is given as it came.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the file is sent.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``.
    public func uploadResult<T>(
        for request: URLRequest, fromFile file: URL, decoder: ResultDecoder<T> = .data,
        accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await run(progress, decoder) { uploadTask(with: request, fromFile: file, accepting: codes, resultHandler: $0) }
    }

    // MARK: Twins of `uploadTask(withResumeData:completionHandler:)` and `upload(resumeFrom:)`, which are younger

    /// Creates a task that resumes an upload and gives the body of the response, or says why there is none.
    ///
    /// The server has to support resumable uploads (draft-ietf-httpbis-resumable-upload), and a file that was being
    /// sent has to be there, unchanged. On Linux `URLSession` makes no resume data and accepts none, and the handler is
    /// given ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - data: What `cancel(byProducingResumeData:)` or the error of the interrupted upload gave.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``uploadTask(with:from:accepting:resultHandler:)``.
    /// - Returns: The task, suspended; call `resume()`.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public func uploadTask(
        withResumeData data: Data, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionUploadTask { uploadTask(withResumeData: data) { resultHandler($0.data(accepting: codes)) } }

    /// Resumes an upload and gives the body of the response, or says why there is none.
    ///
    /// The server has to support resumable uploads (draft-ietf-httpbis-resumable-upload), and a file that was being
    /// sent has to be there, unchanged. On Linux `URLSession` makes no resume data and accepts none, and the result is
    /// ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - data: What `cancel(byProducingResumeData:)` or the error of the interrupted upload gave.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body is sent.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public func uploadResult(
        resumeFrom data: Data, accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await run(progress) { uploadTask(withResumeData: data, accepting: codes, resultHandler: $0) }
    }
}
