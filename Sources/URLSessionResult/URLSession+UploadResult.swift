import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Twins of `upload(for:from:)` and `upload(for:fromFile:)`.
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
        await result(of: .upload(request, bodyData), progress: progress) { $0.data(accepting: statusCodes) }
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
        await result(of: .uploadOfFile(request, fileURL), progress: progress) { $0.data(accepting: statusCodes) }
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
}
