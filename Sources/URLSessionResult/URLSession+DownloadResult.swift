import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `download(for:)`, `download(from:)` and `download(resumeFrom:)`.
///
/// Cancelling the Swift task cancels the request, which gives ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`. Decoding runs off the caller's actor and off the session's delegate queue.
extension URLSession {
    /// Downloads to a file of your choice.
    ///
    /// The file appears whole or not at all: missing folders are created, what was there is replaced in one step, and a
    /// failure leaves what was there untouched.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The file to write.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: The destination, or ``NetworkError/transportError(_:)``, also for a destination that cannot be
    ///   written, ``NetworkError/serverError(statusCode:response:)`` with the first mebibyte of the body, or
    ///   ``NetworkError/noData``.
    public func downloadResult(
        for request: URLRequest, to destination: URL, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await result(progress: progress) {
            downloadTask(with: request, to: destination, accepting: statusCodes, resultHandler: $0)
        }
    }

    /// Downloads a body and decodes it from the file, memory-mapped: for bodies too large to hold.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - decoder: How to decode the body. Bytes that it keeps stay valid, mapped to a file that has no name any more.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``; a
    ///   ``NetworkError/serverError(statusCode:response:)`` holds the first mebibyte of the body.
    public func downloadResult<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        let body = await result(progress: progress) {
            downloadTask(with: request, decoder: .data, accepting: statusCodes, resultHandler: $0)
        }
        return decoder.decode(body)
    }

    /// Downloads a URL to a file of your choice.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - destination: The file to write.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:to:accepting:progress:)``.
    public func downloadResult(
        from url: URL, to destination: URL, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await downloadResult(for: URLRequest(url: url), to: destination, accepting: statusCodes, progress: progress)
    }

    /// Downloads a URL and decodes the file, memory-mapped.
    ///
    /// - Parameters:
    ///   - url: What to get.
    ///   - decoder: How to decode the body.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:decoder:accepting:progress:)``.
    public func downloadResult<T>(
        from url: URL, decoder: ResultDecoder<T>, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await downloadResult(for: URLRequest(url: url), decoder: decoder, accepting: statusCodes, progress: progress)
    }

    /// Resumes a download to a file of your choice.
    ///
    /// Resuming is a matter of Apple's platforms: on Linux `URLSession` makes no resume data and accepts none, and the
    /// result is ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - resumeData: What `cancel(byProducingResumeData:)` or the error of the interrupted download gave.
    ///   - destination: The file to write.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:to:accepting:progress:)``.
    public func downloadResult(
        resumeFrom resumeData: Data, to destination: URL, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await result(progress: progress) {
            downloadTask(withResumeData: resumeData, to: destination, accepting: statusCodes, resultHandler: $0)
        }
    }

    /// Resumes a download and decodes the file, memory-mapped.
    ///
    /// On Linux as ``downloadResult(resumeFrom:to:accepting:progress:)``.
    ///
    /// - Parameters:
    ///   - resumeData: What `cancel(byProducingResumeData:)` or the error of the interrupted download gave.
    ///   - decoder: How to decode the body.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body arrives.
    /// - Returns: As ``downloadResult(for:decoder:accepting:progress:)``.
    public func downloadResult<T>(
        resumeFrom resumeData: Data, decoder: ResultDecoder<T>, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        let body = await result(progress: progress) {
            downloadTask(withResumeData: resumeData, decoder: .data, accepting: statusCodes, resultHandler: $0)
        }
        return decoder.decode(body)
    }
}
