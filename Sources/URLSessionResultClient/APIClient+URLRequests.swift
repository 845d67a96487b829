import Foundation
internal import URLSessionResultTransport

extension APIClient {
    /// Sends a request that was made elsewhere, and gives its decoded body, or the reason why there is none.
    ///
    /// ```swift
    /// let image = await client.result(
    ///     for: URLRequest(url: signedURL), decoder: .data)
    /// ```
    ///
    /// The request has all middleware around it, and may go to any origin. If that is the origin of ``baseURL``, it gets the
    /// ``headers`` of the client whose fields it does not have. The token of a ``TokenAuthentication`` goes where it may.
    ///
    /// Decoding runs off your actor. Cancelling the Swift task cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request. Its URL is not relative to anything.
    ///   - decoder: The decoder for the body of the response. One for JSON without `using:` uses the ``decoder`` of the client.
    ///   - codes: The HTTP status codes that count as success.
    ///   - progress: A function that is called while the body of the request is sent, if that is more than 64 KiB of data. Otherwise it is
    ///     called while the body of the response arrives.
    /// - Returns: The value; or `NetworkError.transportError` with `URLError.badURL` if the URL is missing or neither `https` nor `http`,
    ///   or `NetworkError.encodingError` for a header field with a line break or a method that is no token, when nothing is sent; or any
    ///   other error of the request, the middleware or the decoder.
    @concurrent
    public func result<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await response(for: request, decoder: decoder, accepting: codes, progress: progress).map(\.body)
    }

    /// Sends a request that was made elsewhere, and gives its decoded body with the status code and the headers, as
    /// ``result(for:decoder:accepting:progress:)`` gives the body.
    @concurrent
    public func response<T>(
        for request: URLRequest, decoder: ResultDecoder<T>, accepting codes: some StatusCodes = 200..<300,
        progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<T>, NetworkError> {
        do throws(NetworkError) {
            let request = try completed(request)
            return .success(
                try await response(to: request, decoder: decoder, accepting: codes.listed, progress: progress))
        } catch {
            return .failure(error)
        }
    }

    /// The request with the header fields of the client, as far as they are for its origin.
    private func completed(_ request: URLRequest) throws(NetworkError) -> URLRequest {
        guard let url = request.url, let whole = EndpointPath(url).url(relativeTo: url, adding: [:]) else {
            throw .transportError(code: .badURL)
        }
        var request = request
        request.url = whole
        if whole.origin == baseURL.origin {
            for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
                try request.setField(name, value)
            }
        }
        try request.check()
        return request
    }
}
