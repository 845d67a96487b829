import Foundation
internal import URLSessionResultTransport

/// Counterparts of `uploadTask(with:from:completionHandler:)`.
extension URLSession {
    /// Creates a task that sends data and gives the body of the response, or the reason why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send, or `nil` for an empty one.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - resultHandler: As for ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
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
    /// As ``uploadTask(with:from:accepting:resultHandler:)``, but the handler gets the error, or `nil` for success. Write the
    /// label: see ``dataTask(with:accepting:errorHandler:)-(URLRequest,_,_)``.
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
    /// As ``uploadTask(with:from:accepting:resultHandler:)``, with a decoder as in
    /// ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    public func uploadTask<T>(
        with request: URLRequest, from body: Data?, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, from: body, collecting: decoder.metricsToCollect) { outcome in
            resultHandler(decoder.decode(received: outcome.body(accepting: codes)))
        }
    }
}

/// Counterparts of `uploadTask(with:fromFile:completionHandler:)`.
extension URLSession {
    /// Creates a task that sends a file and gives the body of the response, or the reason why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - file: The file to send. If it cannot be read, the error is ``NetworkError/transportError(_:)``. It is read
    ///     while it is sent, so it needs little memory. On Linux it is opened when the task is resumed: you may rename or remove
    ///     it afterwards, and if it shrinks, the error is `URLError.requestBodyStreamExhausted`. A pipe is read into memory
    ///     before it is sent: on Linux by a thread of its own that waits up to `timeoutInterval` for each piece, elsewhere when
    ///     the task is created.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - resultHandler: As for ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
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
    /// As ``uploadTask(with:fromFile:accepting:resultHandler:)``, but the handler gets the error, or `nil` for success. Write
    /// the label: see ``dataTask(with:accepting:errorHandler:)-(URLRequest,_,_)``.
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
    /// As ``uploadTask(with:fromFile:accepting:resultHandler:)``, with a decoder as in
    /// ``dataTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    public func uploadTask<T>(
        with request: URLRequest, fromFile file: URL, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, fromFile: file, collecting: decoder.metricsToCollect) { outcome in
            resultHandler(decoder.decode(received: outcome.body(accepting: codes)))
        }
    }
}

/// Counterparts of `upload(for:from:delegate:)` and `upload(for:fromFile:delegate:)`.
extension URLSession {
    /// Sends data and gives the body of the response, or the reason why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send. Its method is usually `.post` or `.put`.
    ///   - body: The body to send.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - delegate: As for ``dataResult(for:accepting:delegate:progress:)``.
    ///   - progress: A function that is called on the session's delegate queue while the body is sent.
    /// - Returns: As ``dataResult(for:accepting:delegate:progress:)``.
    @concurrent
    public func uploadResult(
        for request: URLRequest, from body: Data, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes, uploading: .data(body)) {
            handler in
            uploadTask(with: request, from: body, accepting: codes, resultHandler: handler)
        }
    }

    /// Sends data and gives the decoded body of the response, or the reason why there is none.
    ///
    /// As ``uploadResult(for:from:accepting:delegate:progress:)``, with a decoder as in
    /// ``dataResult(for:decoder:accepting:delegate:progress:)``.
    @concurrent
    public func uploadResult<T>(
        for request: URLRequest, from body: Data, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, delegate: (any URLSessionTaskDelegate)? = nil,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        let body = await awaitResult(
            delegate: delegate, reportingTo: progress, accepting: codes, uploading: .data(body)
        ) { handler in
            makeUploadTask(for: request, from: body, collecting: decoder.metricsToCollect) { outcome in
                handler(outcome.body(accepting: codes))
            }
        }
        return decoder.decode(received: body)
    }

    /// Sends a file and gives the body of the response, or the reason why there is none.
    ///
    /// As ``uploadResult(for:from:accepting:delegate:progress:)``. If the file cannot be read, the error is
    /// ``NetworkError/transportError(_:)``. A file is read while it is sent, a pipe before.
    @concurrent
    public func uploadResult(
        for request: URLRequest, fromFile file: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes, uploading: .file(file)) {
            handler in
            uploadTask(with: request, fromFile: file, accepting: codes, resultHandler: handler)
        }
    }

    /// Sends a file and gives the decoded body of the response, or the reason why there is none.
    ///
    /// As ``uploadResult(for:fromFile:accepting:delegate:progress:)``, with a decoder as in
    /// ``dataResult(for:decoder:accepting:delegate:progress:)``.
    @concurrent
    public func uploadResult<T>(
        for request: URLRequest, fromFile file: URL, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, delegate: (any URLSessionTaskDelegate)? = nil,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        let body = await awaitResult(
            delegate: delegate, reportingTo: progress, accepting: codes, uploading: .file(file)
        ) { handler in
            makeUploadTask(for: request, fromFile: file, collecting: decoder.metricsToCollect) { outcome in
                handler(outcome.body(accepting: codes))
            }
        }
        return decoder.decode(received: body)
    }
}

/// Counterparts of `uploadTask(withResumeData:completionHandler:)` and `upload(resumeFrom:delegate:)`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension URLSession {
    /// Creates a task that resumes an upload and gives the body of the response, or the reason why there is none.
    ///
    /// The server has to support resumable uploads (draft-ietf-httpbis-resumable-upload). The file has to
    /// be there, unchanged. On Linux, `URLSession` creates no resume data and accepts none: the error is
    /// ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - data: The resume data, from `cancel(byProducingResumeData:)` or from the error of the interrupted upload.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - resultHandler: As for ``dataTask(with:accepting:resultHandler:)-(URLRequest,_,_)``.
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
    /// The resume data and the server are those of ``uploadTask(withResumeData:accepting:resultHandler:)``; the rest is as in
    /// ``uploadResult(for:from:accepting:delegate:progress:)``.
    @concurrent
    public func uploadResult(
        resumeFrom data: Data, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> DataResult {
        await awaitResult(delegate: delegate, reportingTo: progress, accepting: codes) { handler in
            uploadTask(withResumeData: data, accepting: codes, resultHandler: handler)
        }
    }
}
