import Foundation

/// Twins of `downloadTask(with:completionHandler:)` and `downloadTask(withResumeData:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled. If the status code is
/// not accepted, the result is never a file but ``NetworkError/serverError(statusCode:response:)`` with the first
/// mebibyte of the body.
extension URLSession {
    /// Creates a task that downloads to a temporary file.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the file, or with ``NetworkError/transportError(_:)``,
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``. The file is removed when the
    ///     function returns; move it or read it before.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        with request: URLRequest, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(for: request) { outcome in
            resultHandler(outcome.file(accepting: codes))
        }
    }

    /// Creates a task that downloads to a destination.
    ///
    /// The file appears whole or not at all: missing folders are created, an existing file is replaced in one step, and a
    /// failure leaves the existing file untouched.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write, or `nil` for a temporary file that is removed when the handler returns.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the destination, or with
    ///     ``NetworkError/transportError(_:)`` (also if the destination cannot be written),
    ///     ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        with request: URLRequest, to destination: URL?, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(for: request, to: destination) { outcome in
            resultHandler(outcome.file(accepting: codes).placed(at: destination))
        }
    }

    /// Creates a task that downloads a body and decodes it from the file, memory-mapped. Use it for bodies that are too
    /// large for memory.
    ///
    /// The decoder and the handler run once, on the session's delegate queue. If you cancel the task, the handler gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: The decoder for the body. It runs on the session's delegate queue. Bytes that it keeps stay valid:
    ///     they are mapped to a file without a name.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: A function that is called once with the value, or with any ``NetworkError`` except
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(for: request) { outcome in
            resultHandler(decoder.decode(received: outcome.mappedBody(accepting: codes)))
        }
    }

    /// Creates a task that downloads a URL to a temporary file.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that downloads a URL to a destination.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - destination: The file to write, or `nil` for a temporary file that is removed when the handler returns.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        with url: URL, to destination: URL?, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), to: destination, accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that downloads a URL and decodes the file, memory-mapped.
    ///
    /// The decoder and the handler run once, on the session's delegate queue. If you cancel the task, the handler gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), decoder: decoder, accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that resumes a download to a destination.
    ///
    /// On Linux, `URLSession` creates no resume data and accepts none: the handler gets
    /// ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// The handler runs once, on the session's delegate queue. If you cancel the task, it gets
    /// ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - data: The resume data, from `cancel(byProducingResumeData:)` or from the error of the interrupted download.
    ///   - destination: The file to write, or `nil` for a temporary file that is removed when the handler returns.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        withResumeData data: Data, to destination: URL? = nil, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(resumeData: data) { outcome in
            resultHandler(outcome.file(accepting: codes).placed(at: destination))
        }
    }
}

/// Twins of `download(for:)`, `download(from:)` and `download(resumeFrom:)`.
///
/// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`. Bodies are decoded off your actor and off the session's delegate queue.
extension URLSession {
    /// Downloads to a destination.
    ///
    /// The file appears whole or not at all: missing folders are created, an existing file is replaced in one step, and a
    /// failure leaves the existing file untouched.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The destination, or ``NetworkError/transportError(_:)`` (also if the destination cannot be written),
    ///   ``NetworkError/serverError(statusCode:response:)`` with the first mebibyte of the body, or
    ///   ``NetworkError/noData``.
    @concurrent
    public func downloadResult(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await awaitResult(reportingTo: progress) { handler in
            downloadTask(with: request, to: destination, accepting: codes, resultHandler: handler)
        }
    }

    /// Downloads a body and decodes it from the file, memory-mapped. Use it for bodies that are too large for memory.
    ///
    /// The decoder runs off your actor and off the session's delegate queue. Cancelling the Swift task cancels the
    /// request. The result is then ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: The decoder for the body. Bytes that it keeps stay valid: they are mapped to a file without a name.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The value, or any ``NetworkError`` except ``NetworkError/encodingError(_:)``. A
    ///   ``NetworkError/serverError(statusCode:response:)`` keeps the first mebibyte of the body.
    @concurrent
    public func downloadResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await awaitResult(reportingTo: progress, decoder: decoder) { handler in
            makeDownloadTask(for: request) { outcome in
                handler(outcome.mappedBody(accepting: codes))
            }
        }
    }

    /// Downloads a URL to a destination.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: As ``downloadResult(for:to:accepting:progress:)``.
    @concurrent
    public func downloadResult(
        from url: URL, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await downloadResult(for: URLRequest(url: url), to: destination, accepting: codes, progress: progress)
    }

    /// Downloads a URL and decodes the file, memory-mapped.
    ///
    /// The decoder runs off your actor and off the session's delegate queue. Cancelling the Swift task cancels the
    /// request. The result is then ``NetworkError/transportError(_:)`` with `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - decoder: The decoder for the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: As ``downloadResult(for:decoder:accepting:progress:)``.
    @concurrent
    public func downloadResult<T>(
        from url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await downloadResult(for: URLRequest(url: url), decoder: decoder, accepting: codes, progress: progress)
    }

    /// Downloads to a destination and gives the response as well, for when headers such as `ETag` matter.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The destination with the response, or an error as for ``downloadResult(for:to:accepting:progress:)``.
    @concurrent
    public func downloadResponse(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await awaitResult(reportingTo: progress) { handler in
            makeDownloadTask(for: request, to: destination) { outcome in
                handler(outcome.fileResponse(accepting: codes).placed(at: destination))
            }
        }
    }

    /// Downloads a URL to a destination and gives the response as well.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - url: The URL to get.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: As ``downloadResponse(for:to:accepting:progress:)``.
    @concurrent
    public func downloadResponse(
        from url: URL, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await downloadResponse(for: URLRequest(url: url), to: destination, accepting: codes, progress: progress)
    }

    /// Resumes a download to a destination.
    ///
    /// On Linux, `URLSession` creates no resume data and accepts none: the result is
    /// ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// Cancelling the Swift task cancels the request. The result is then ``NetworkError/transportError(_:)`` with
    /// `URLError.cancelled`.
    ///
    /// - Parameters:
    ///   - data: The resume data, from `cancel(byProducingResumeData:)` or from the error of the interrupted download.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: As ``downloadResult(for:to:accepting:progress:)``.
    @concurrent
    public func downloadResult(
        resumeFrom data: Data, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await awaitResult(reportingTo: progress) { handler in
            downloadTask(withResumeData: data, to: destination, accepting: codes, resultHandler: handler)
        }
    }
}
