import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `downloadTask(with:completionHandler:)` and `downloadTask(withResumeData:completionHandler:)`.
///
/// Handlers run on the session's delegate queue, once for every task that is resumed or cancelled. A status code that
/// is not accepted is a ``NetworkError/serverError(statusCode:response:)`` whose response holds the first mebibyte of
/// the body, never a file.
extension URLSession {
    /// Creates a task that downloads to a file of your choice, or to a temporary one.
    ///
    /// The file of your choice appears whole or not at all: missing folders are created, what was there is replaced in
    /// one step, and a failure leaves what was there untouched.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write; `nil` for a temporary one, which is gone when the handler returns.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the file, or with ``NetworkError/transportError(_:)``, also for a
    ///     destination that cannot be written, ``NetworkError/serverError(statusCode:response:)`` or
    ///     ``NetworkError/noData``.
    /// - Returns: The task, suspended; call `resume()`.
    public func downloadTask(
        with request: URLRequest, to destination: URL? = nil, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(with: request) { resultHandler($0.file(accepting: codes).moved(to: destination)) }
    }

    /// Creates a task that downloads a body and decodes it from the file, memory-mapped: for bodies too large to hold.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body. It runs on the session's delegate queue; bytes that it keeps stay valid,
    ///     mapped to a file that has no name any more.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: Called once with the value, or with any ``NetworkError`` but
    ///     ``NetworkError/encodingError(_:)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func downloadTask<T>(
        with request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDownloadTask {
        downloadTask(with: request, accepting: codes) { resultHandler(decoder.decode($0.mapped())) }
    }

    /// Creates a task that downloads a URL to a file of your choice, or to a temporary one.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - destination: The file to write; `nil` for a temporary one, which is gone when the handler returns.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func downloadTask(
        with url: URL, to destination: URL? = nil, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), to: destination, accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that downloads a URL and decodes the file, memory-mapped.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:decoder:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func downloadTask<T>(
        with url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<T>
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), decoder: decoder, accepting: codes, resultHandler: resultHandler)
    }

    /// Creates a task that resumes a download to a file of your choice, or to a temporary one.
    ///
    /// Resuming is a matter of Apple's platforms: on Linux `URLSession` makes no resume data and accepts none, and the
    /// handler is given ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - data: What `cancel(byProducingResumeData:)` or the error of the interrupted download gave.
    ///   - destination: The file to write; `nil` for a temporary one, which is gone when the handler returns.
    ///   - codes: The HTTP status codes that count as success.
    ///   - resultHandler: As for ``downloadTask(with:to:accepting:resultHandler:)-(URLRequest,_,_,_)``.
    /// - Returns: The task, suspended; call `resume()`.
    public func downloadTask(
        withResumeData data: Data, to destination: URL? = nil, accepting codes: some StatusCodes = 200..<300,
        resultHandler: @escaping ResultHandler<URL>
    ) -> URLSessionDownloadTask {
        downloadTask(withResumeData: data) { resultHandler($0.file(accepting: codes).moved(to: destination)) }
    }

    // MARK: Twins of `download(for:)`, `download(from:)` and `download(resumeFrom:)`
    //
    // Cancelling the Swift task cancels the request, which gives `NetworkError/transportError(_:)` with
    // `URLError.cancelled`. Decoding runs off the caller's actor and off the session's delegate queue.

    /// Downloads to a file of your choice.
    ///
    /// The file appears whole or not at all: missing folders are created, what was there is replaced in one step, and a
    /// failure leaves what was there untouched.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: The destination, or ``NetworkError/transportError(_:)``, also for a destination that cannot be
    ///   written, ``NetworkError/serverError(statusCode:response:)`` with the first mebibyte of the body, or
    ///   ``NetworkError/noData``.
    public func downloadResult(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await run(progress) { downloadTask(with: request, to: destination, accepting: codes, resultHandler: $0) }
    }

    /// Downloads a body and decodes it from the file, memory-mapped: for bodies too large to hold.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body. Bytes that it keeps stay valid, mapped to a file that has no name any more.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``; a
    ///   ``NetworkError/serverError(statusCode:response:)`` holds the first mebibyte of the body.
    public func downloadResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await run(progress, decoder) {
            downloadTask(with: request, decoder: .data, accepting: codes, resultHandler: $0)
        }
    }

    /// Downloads a URL to a file of your choice.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:to:accepting:progress:)``.
    public func downloadResult(
        from url: URL, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await downloadResult(for: URLRequest(url: url), to: destination, accepting: codes, progress: progress)
    }

    /// Downloads a URL and decodes the file, memory-mapped.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:decoder:accepting:progress:)``.
    public func downloadResult<T>(
        from url: URL, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await downloadResult(for: URLRequest(url: url), decoder: decoder, accepting: codes, progress: progress)
    }

    /// Resumes a download to a file of your choice.
    ///
    /// Resuming is a matter of Apple's platforms: on Linux `URLSession` makes no resume data and accepts none, and the
    /// result is ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - data: What `cancel(byProducingResumeData:)` or the error of the interrupted download gave.
    ///   - destination: The file to write.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:to:accepting:progress:)``.
    public func downloadResult(
        resumeFrom data: Data, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await run(progress) { downloadTask(withResumeData: data, to: destination, accepting: codes, resultHandler: $0) }
    }
}
