import Foundation
internal import URLSessionResultTransport

/// Counterparts of `downloadTask(with:completionHandler:)` and `downloadTask(withResumeData:completionHandler:)`.
extension URLSession {
    /// Creates a task that downloads to a temporary file.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - resultHandler: A function that is called once, on the session's delegate queue: with the file, or with
    ///     ``NetworkError/transportError(_:)`` (`URLError.cancelled` if you cancel the task),
    ///     ``NetworkError/serverError(statusCode:response:)`` with the first 1 MiB of the body, or
    ///     ``NetworkError/noData``. The file is removed when the function returns; move it or read it before.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        with request: URLRequest, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(for: request) { outcome in
            resultHandler(outcome.temporaryFile(accepting: codes))
        }
    }

    /// Creates a task that downloads to a destination.
    ///
    /// The file appears whole or not at all: missing folders are created (and stay after a failure), an existing file is replaced in
    /// one step, and a failure leaves the existing file untouched.
    ///
    /// As ``downloadTask(with:accepting:resultHandler:)-(URLRequest,_,_)``, but the handler gets the destination, or
    /// ``NetworkError/transportError(_:)`` if it cannot be written. Where that is known beforehand, nothing is requested.
    ///
    /// A regular file is replaced, and so is a symbolic link; a folder, a device or a pipe is an error. The file is moved on the
    /// session's delegate queue, and copied there if the destination is on another volume than the temporary files.
    public func downloadTask(
        with request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(for: request, to: destination) { outcome in
            resultHandler(outcome.file(placedAt: destination, accepting: codes))
        }
    }

    /// Creates a task that downloads a body and decodes it from the file, memory-mapped unless it is short. Use it for bodies that
    /// are too large for memory.
    ///
    /// As ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``. Bytes that the decoder keeps stay valid:
    /// they are mapped to a file without a name. ``NetworkError/serverError(statusCode:response:)`` has the first 1 MiB of
    /// the body.
    public func downloadTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDownloadTask {
        makeDownloadTask(for: request, collecting: decoder.metricsToCollect) { outcome in
            resultHandler(decoder.decode(received: outcome.mappedBody(accepting: codes)))
        }
    }

    /// Creates a task that downloads a URL to a temporary file, as
    /// ``downloadTask(with:accepting:resultHandler:)-(URLRequest,_,_)`` does.
    public func downloadTask(
        with url: URL, accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that downloads a URL to a destination, as
    /// ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)`` does.
    public func downloadTask(
        with url: URL, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), to: destination, accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that downloads a URL and decodes the file, as
    /// ``downloadTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)`` does.
    public func downloadTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), decoder: decoder, accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that resumes a download to a temporary file.
    ///
    /// On Linux, the library creates resume data if the response to a GET has a strong `ETag`. It keeps the file, among at most 16,
    /// in a folder for temporary files, and asks for the rest with `Range` and `If-Range`. If the body has changed or the file is
    /// gone, the download begins anew. The request for the rest has none of the header fields of the first one. If the server sends
    /// another part than the rest, the error is ``NetworkError/transportError(_:)`` with `URLError.badServerResponse`. If the
    /// library has not made the resume data, it has `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - data: The resume data, from `cancel(byProducingResumeData:)` or from the error of the interrupted download.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`. 206 counts where 200 does: it is the status code of the rest.
    ///   - resultHandler: As for ``downloadTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
    /// - Returns: The task. It is suspended; call `resume()`.
    public func downloadTask(
        withResumeData data: Data, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        let codes = codes.acceptingRest
        return makeDownloadTask(resumeData: data) { outcome in
            resultHandler(outcome.temporaryFile(accepting: codes))
        }
    }

    /// Creates a task that resumes a download to a destination.
    ///
    /// As ``downloadTask(withResumeData:accepting:resultHandler:)``, with a destination as in
    /// ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)``. If there can be no file, nothing is requested, and
    /// the resume data stays valid.
    public func downloadTask(
        withResumeData data: Data, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        let codes = codes.acceptingRest
        return makeDownloadTask(resumeData: data, to: destination) { outcome in
            resultHandler(outcome.file(placedAt: destination, accepting: codes))
        }
    }
}

/// Counterparts of `download(for:delegate:)`, `download(from:delegate:)` and `download(resumeFrom:delegate:)`.
extension URLSession {
    /// Downloads to a destination.
    ///
    /// The file appears whole or not at all: missing folders are created (and stay after a failure), an existing file is replaced in
    /// one step, and a failure leaves the existing file untouched. What is replaced, and where the file is moved:
    /// ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - delegate: As for ``dataResult(for:accepting:delegate:progress:)``.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The destination, or an error as from ``dataResult(for:accepting:delegate:progress:)``. A destination that
    ///   cannot be written is ``NetworkError/transportError(_:)``; ``NetworkError/serverError(statusCode:response:)`` has the
    ///   first 1 MiB of the body.
    @concurrent
    public func downloadResult(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes) { handler in
            downloadTask(with: request, to: destination, accepting: codes, resultHandler: handler)
        }
    }

    /// Downloads a body and decodes it from the file, memory-mapped unless it is short. Use it for bodies that are too large for
    /// memory.
    ///
    /// As ``dataResult(for:decoder:accepting:delegate:progress:)``. Bytes that the decoder keeps stay valid: they are mapped
    /// to a file without a name. ``NetworkError/serverError(statusCode:response:)`` has the first 1 MiB of the body.
    @concurrent
    public func downloadResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        let body = await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes) { handler in
            makeDownloadTask(for: request, collecting: decoder.metricsToCollect) { outcome in
                handler(outcome.mappedBody(accepting: codes))
            }
        }
        return decoder.decode(received: body)
    }

    /// Downloads a URL to a destination, as ``downloadResult(for:to:accepting:delegate:progress:)`` does.
    @concurrent
    public func downloadResult(
        from url: URL, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await downloadResult(
            for: URLRequest(url: url), to: destination, accepting: codes, delegate: delegate, progress: progress)
    }

    /// Downloads a URL and decodes the file, as ``downloadResult(for:decoder:accepting:delegate:progress:)`` does.
    @concurrent
    public func downloadResult<T>(
        from url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await downloadResult(
            for: URLRequest(url: url), decoder: decoder, accepting: codes, delegate: delegate, progress: progress)
    }

    /// Downloads to a destination and gives the response as well, for when headers such as `ETag` matter.
    ///
    /// Otherwise as ``downloadResult(for:to:accepting:delegate:progress:)``. A file without a response is
    /// ``NetworkError/transportError(_:)`` with `URLError.badServerResponse`.
    @concurrent
    public func downloadResponse(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes) { handler in
            makeDownloadTask(for: request, to: destination, collecting: CollectedMetrics(nil)) { outcome in
                handler(outcome.fileResponse(placedAt: destination, accepting: codes))
            }
        }
    }

    /// Downloads a URL to a destination and gives the response as well, as
    /// ``downloadResponse(for:to:accepting:delegate:progress:)`` does.
    @concurrent
    public func downloadResponse(
        from url: URL, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await downloadResponse(
            for: URLRequest(url: url), to: destination, accepting: codes, delegate: delegate, progress: progress)
    }

    /// Resumes a download to a destination.
    ///
    /// The resume data is that of ``downloadTask(withResumeData:accepting:resultHandler:)``; the rest is as in
    /// ``downloadResult(for:to:accepting:delegate:progress:)``.
    @concurrent
    public func downloadResult(
        resumeFrom data: Data, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes.acceptingRest) { handler in
            downloadTask(withResumeData: data, to: destination, accepting: codes, resultHandler: handler)
        }
    }

    /// Resumes a download to a destination and gives the response as well: that to the request for the rest.
    ///
    /// Otherwise as ``downloadResult(resumeFrom:to:accepting:delegate:progress:)`` and
    /// ``downloadResponse(for:to:accepting:delegate:progress:)``.
    @concurrent
    public func downloadResponse(
        resumeFrom data: Data, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes.acceptingRest) { handler in
            makeDownloadTask(resumeData: data, to: destination, collecting: CollectedMetrics(nil)) { outcome in
                handler(outcome.fileResponse(placedAt: destination, accepting: codes.acceptingRest))
            }
        }
    }
}
