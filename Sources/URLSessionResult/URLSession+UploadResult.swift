import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `upload(for:from:)`, `upload(for:fromFile:)` and `upload(resumeFrom:)`.
///
/// Cancelling the Swift task cancels the request, which gives ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`. Decoding runs off the caller's actor and off the session's delegate queue.
extension URLSession {
    /// Sends data and gives the body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - bodyData: The body to send.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the data is sent.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    public func uploadResult(
        for request: URLRequest, from bodyData: Data, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> DataResult {
        await result(progress: progress) {
            uploadTask(with: request, from: bodyData, accepting: statusCodes, resultHandler: $0)
        }
    }

    /// Sends data and gives the decoded body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - bodyData: The body to send.
    ///   - decoder: How to decode the body of the response.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the data is sent.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``.
    public func uploadResult<T>(
        for request: URLRequest, from bodyData: Data, decoder: ResultDecoder<T>,
        accepting statusCodes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        decoder.decode(await uploadResult(for: request, from: bodyData, accepting: statusCodes, progress: progress))
    }

    /// Sends a file and gives the body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - fileURL: The file to send. One that cannot be read is a ``NetworkError/transportError(_:)``. On Linux it is
    ///     read into memory at once.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the file is sent.
    /// - Returns: The body, or ``NetworkError/transportError(_:)``,
    ///   ``NetworkError/serverError(statusCode:response:)`` or ``NetworkError/noData``.
    public func uploadResult(
        for request: URLRequest, fromFile fileURL: URL, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> DataResult {
        await result(progress: progress) {
            uploadTask(with: request, fromFile: fileURL, accepting: statusCodes, resultHandler: $0)
        }
    }

    /// Sends a file and gives the decoded body of the response, or says why there is none.
    ///
    /// - Parameters:
    ///   - request: The request to send; its method is usually `.post` or `.put`.
    ///   - fileURL: The file to send. One that cannot be read is a ``NetworkError/transportError(_:)``. On Linux it is
    ///     read into memory at once.
    ///   - decoder: How to decode the body of the response.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the file is sent.
    /// - Returns: The value, or any ``NetworkError`` but ``NetworkError/encodingError(_:)``.
    public func uploadResult<T>(
        for request: URLRequest, fromFile fileURL: URL, decoder: ResultDecoder<T>,
        accepting statusCodes: some StatusCodes = 200..<300, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        decoder.decode(await uploadResult(for: request, fromFile: fileURL, accepting: statusCodes, progress: progress))
    }

    /// Resumes an upload and gives the body of the response, or says why there is none.
    ///
    /// The server has to support resumable uploads (draft-ietf-httpbis-resumable-upload), and a file that was being
    /// sent has to be there, unchanged. On Linux `URLSession` makes no resume data and accepts none, and the result is
    /// ``NetworkError/transportError(_:)`` with `URLError.unsupportedURL`.
    ///
    /// - Parameters:
    ///   - resumeData: What `cancel(byProducingResumeData:)` or the error of the interrupted upload gave.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body is sent.
    /// - Returns: As ``uploadResult(for:from:accepting:progress:)``.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public func uploadResult(
        resumeFrom resumeData: Data, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> DataResult {
        await result(progress: progress) {
            uploadTask(withResumeData: resumeData, accepting: statusCodes, resultHandler: $0)
        }
    }

    /// Resumes an upload and gives the decoded body of the response, or says why there is none.
    ///
    /// On Linux as ``uploadResult(resumeFrom:accepting:progress:)``.
    ///
    /// - Parameters:
    ///   - resumeData: What `cancel(byProducingResumeData:)` or the error of the interrupted upload gave.
    ///   - decoder: How to decode the body of the response.
    ///   - statusCodes: The HTTP status codes that count as success.
    ///   - progress: Called on the session's delegate queue as the body is sent.
    /// - Returns: As ``uploadResult(for:from:decoder:accepting:progress:)``.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    public func uploadResult<T>(
        resumeFrom resumeData: Data, decoder: ResultDecoder<T>, accepting statusCodes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        decoder.decode(await uploadResult(resumeFrom: resumeData, accepting: statusCodes, progress: progress))
    }
}
