import Foundation

/// Twins of `uploadTask(with:from:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled.
extension URLSession {
    /// Creates a task that sends data and gives the body of the response, or the reason why there is none.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send, or `nil` for an empty one.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the body, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func uploadTask(
        with request: URLRequest, from body: Data?, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, from: body) { outcome in
            resultHandler(outcome.data(accepting: codes))
        }
    }

    /// Creates a task that sends data and only reports whether the request failed.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send, or `nil` for an empty one.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: A function that is called once with `nil` for success, or with
    ///     ``NetworkError/transportError(_:)``, ``NetworkError/serverError(statusCode:response:)`` or
    ///     ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
    @_disfavoredOverload
    public func uploadTask(
        with request: URLRequest, from body: Data?, accepting codes: some StatusCodes = 200..<300,
        errorHandler: @escaping ErrorHandler
    ) -> URLSessionUploadTask {
        uploadTask(with: request, from: body, accepting: codes) { result in
            errorHandler(result.failure)
        }
    }

    /// Creates a task that sends data and gives the decoded body of the response, or the reason why there is none.
    ///
    /// The decoder and the handler run once, on the session's delegate queue. If you cancel the task, the handler gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send, or `nil` for an empty one.
    ///   - decoder: The decoder for the body of the response. It runs on the session's delegate queue.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the value, or with any ``NetworkError`` except
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func uploadTask<T>(
        with request: URLRequest, from body: Data?, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, from: body) { outcome in
            resultHandler(decoder.decode(received: outcome.body(accepting: codes)))
        }
    }
}

/// Twins of `uploadTask(with:fromFile:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled.
extension URLSession {
    /// Creates a task that sends a file and gives the body of the response, or the reason why there is none.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - file: The file to send. If it cannot be read, the result is ``NetworkError/transportError(_:)``. A pipe, and
    ///     on Linux any file, is read when the task is created.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the body, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, fromFile: file) { outcome in
            resultHandler(outcome.data(accepting: codes))
        }
    }

    /// Creates a task that sends a file and only reports whether the request failed.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - file: The file to send. If it cannot be read, the error is ``NetworkError/transportError(_:)``. A pipe, and
    ///     on Linux any file, is read when the task is created.
    ///   - codes: The HTTP status codes that count as success.
    ///   - errorHandler: A function that is called once with `nil` for success, or with
    ///     ``NetworkError/transportError(_:)``, ``NetworkError/serverError(statusCode:response:)`` or
    ///     ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
    @_disfavoredOverload
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, accepting codes: some StatusCodes = 200..<300,
        errorHandler: @escaping ErrorHandler
    ) -> URLSessionUploadTask {
        uploadTask(with: request, fromFile: file, accepting: codes) { result in
            errorHandler(result.failure)
        }
    }

    /// Creates a task that sends a file and gives the decoded body of the response, or the reason why there is none.
    ///
    /// The decoder and the handler run once, on the session's delegate queue. If you cancel the task, the handler gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - file: The file to send. If it cannot be read, the result is ``NetworkError/transportError(_:)``. A pipe, and
    ///     on Linux any file, is read when the task is created.
    ///   - decoder: The decoder for the body of the response. It runs on the session's delegate queue.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the value, or with any ``NetworkError`` except
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func uploadTask<T>(
        with request: URLRequest, fromFile file: URL, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, fromFile: file) { outcome in
            resultHandler(decoder.decode(received: outcome.body(accepting: codes)))
        }
    }
}

/// Twins of `upload(for:from:)` and `upload(for:fromFile:)`.
///
/// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`. Bodies are decoded off your actor and off the session's delegate queue.
extension URLSession {
    /// Sends data and gives the body of the response, or the reason why there is none.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the data is sent.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    @concurrent
    public func uploadResult(
        for request: URLRequest, from body: Data, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(reportingTo: progress) { handler in
            makeUploadTask(for: request, from: body, reportsProgress: progress != nil) { outcome in
                handler(outcome.data(accepting: codes))
            }
        }
    }

    /// Sends data and gives the decoded body of the response, or the reason why there is none.
    ///
    /// The decoder runs off your actor and off the session's delegate queue. Cancelling the Swift task cancels the
    /// request. The result is then ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send.
    ///   - decoder: The decoder for the body of the response.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the data is sent.
    /// - Returns: The value, or any ``NetworkError`` except ``NetworkError/encodingError(_:)``.
    @concurrent
    public func uploadResult<T>(
        for request: URLRequest, from body: Data, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await awaitResult(reportingTo: progress, decoder: decoder) { handler in
            makeUploadTask(for: request, from: body, reportsProgress: progress != nil) { outcome in
                handler(outcome.body(accepting: codes))
            }
        }
    }

    /// Sends a file and gives the body of the response, or the reason why there is none.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - file: The file to send. If it cannot be read, the result is ``NetworkError/transportError(_:)``. A pipe, and
    ///     on Linux any file, is read before it is sent.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the file is sent.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    @concurrent
    public func uploadResult(
        for request: URLRequest, fromFile file: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(reportingTo: progress) { handler in
            makeUploadTask(for: request, fromFile: file, reportsProgress: progress != nil) { outcome in
                handler(outcome.data(accepting: codes))
            }
        }
    }

    /// Sends a file and gives the decoded body of the response, or the reason why there is none.
    ///
    /// The decoder runs off your actor and off the session's delegate queue. Cancelling the Swift task cancels the
    /// request. The result is then ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - file: The file to send. If it cannot be read, the result is ``NetworkError/transportError(_:)``. A pipe, and
    ///     on Linux any file, is read before it is sent.
    ///   - decoder: The decoder for the body of the response.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the file is sent.
    /// - Returns: The value, or any ``NetworkError`` except ``NetworkError/encodingError(_:)``.
    @concurrent
    public func uploadResult<T>(
        for request: URLRequest, fromFile file: URL, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await awaitResult(reportingTo: progress, decoder: decoder) { handler in
            makeUploadTask(for: request, fromFile: file, reportsProgress: progress != nil) { outcome in
                handler(outcome.body(accepting: codes))
            }
        }
    }
}

/// Twins of `uploadTask(withResumeData:completionHandler:)` and `upload(resumeFrom:)`.
///
/// The server has to support resumable uploads (draft-ietf-httpbis-resumable-upload). A file that was being sent has to
/// be there, unchanged. On Linux, `URLSession` creates no resume data and accepts none: the result is
/// ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension URLSession {
    /// Creates a task that resumes an upload and gives the body of the response, or the reason why there is none.
    ///
    /// The server has to support resumable uploads, and on Linux the task fails with `URLError.unsupportedURL`.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - data: The resume data, from `cancel(byProducingResumeData:)` or from the error of the interrupted upload.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``uploadTask(with:from:accepting:resultHandler:)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func uploadTask(
        withResumeData data: Data, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<Data>
    ) -> URLSessionUploadTask {
        makeUploadTask(resumeData: data) { outcome in
            resultHandler(outcome.data(accepting: codes))
        }
    }

    /// Resumes an upload and gives the body of the response, or the reason why there is none.
    ///
    /// The server has to support resumable uploads, and on Linux the result is `URLError.unsupportedURL`.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - data: The resume data, from `cancel(byProducingResumeData:)` or from the error of the interrupted upload.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body is sent.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    @concurrent
    public func uploadResult(
        resumeFrom data: Data, accepting codes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(reportingTo: progress) { handler in
            uploadTask(withResumeData: data, accepting: codes, resultHandler: handler)
        }
    }
}
