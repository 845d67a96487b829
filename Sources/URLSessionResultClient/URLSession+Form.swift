import Foundation

extension URLSession {
    /// Sends a form and gives the decoded body of the response, or the reason why there is none.
    ///
    /// As `uploadResult(for:fromFile:decoder:accepting:delegate:progress:)`. The form is written to a temporary file first, off your
    /// actor.
    ///
    /// - Parameters:
    ///   - request: The request to send, usually a POST. Its `Content-Type` becomes the type of the form.
    ///   - form: The form. If a file of it cannot be read, the error is `NetworkError.transportError`, and nothing is sent.
    ///   - decoder: The decoder for the body of the response.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - delegate: An object that is asked before the session's delegate.
    ///   - progress: A function that is called on the session's delegate queue while the form is sent.
    /// - Returns: The value, or the error.
    @concurrent
    public func uploadResult<T>(
        for request: URLRequest, form: MultipartForm, decoder: ResultDecoder<T>,
        accepting codes: some StatusCodes = 200..<300, delegate: (any URLSessionTaskDelegate)? = nil,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await form.sent(by: request) { request, file in
            await uploadResult(
                for: request, fromFile: file, decoder: decoder, accepting: codes, delegate: delegate,
                progress: progress)
        }
    }
}
