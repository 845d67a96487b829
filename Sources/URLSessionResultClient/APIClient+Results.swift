import Foundation

extension APIClient {
    /// Sends an endpoint and gives its value, or the reason why there is none.
    ///
    /// ```swift
    /// switch await client.result(for: .albums) {
    /// case .success(let albums): show(albums)
    /// case .failure(let error): show(error.localizedDescription)
    /// }
    /// ```
    ///
    /// Encoding and decoding run off your actor. Cancelling the Swift task cancels the request.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - progress: A function that is called while the body of the request is sent, if that is a file, a form or more than 64 KiB.
    ///     Otherwise it is called while the body of the response arrives.
    /// - Returns: The value; or an error as from ``request(for:)``, when nothing is sent; or any other error of the request, the
    ///   middleware or the decoder.
    @concurrent
    public func result<T>(
        for endpoint: Endpoint<T>, progress: ProgressHandler? = nil
    ) async -> Result<T, NetworkError> {
        await response(for: endpoint, progress: progress).map(\.body)
    }

    /// Sends an endpoint and gives its value with the status code and the headers, as ``result(for:progress:)`` gives the value.
    @concurrent
    public func response<T>(
        for endpoint: Endpoint<T>, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<T>, NetworkError> {
        do throws(NetworkError) {
            let request = try request(for: endpoint)
            return .success(try await response(to: request, for: endpoint, progress: progress))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request for an endpoint.
    @concurrent
    func response<T>(
        to request: URLRequest, for endpoint: Endpoint<T>, of user: CallUser = CallUser(),
        progress: ProgressHandler? = nil
    ) async throws(NetworkError) -> NetworkResponse<T> {
        try await response(
            to: request, sending: endpoint.body, decoder: endpoint.decoder,
            accepting: endpoint.acceptedStatusCodes, of: user, progress: progress)
    }

    /// Sends a request, and decodes the body outside of the middleware.
    @concurrent
    func response<T>(
        to request: URLRequest, sending body: RequestBody? = nil, decoder: ResultDecoder<T>, accepting codes: [Int],
        of user: CallUser = CallUser(), progress: ProgressHandler?
    ) async throws(NetworkError) -> NetworkResponse<T> {
        let call = call(sending: body, accepting: codes, of: user, progress: progress.forAllAttempts)
        let received = try await send(request, as: call) { request in
            // `Deduplication` may have replaced the handler, so that all calls that are joined get the reports.
            let progress = Surroundings.current.latest(call).progress
            return await load(request, sending: body, accepting: codes, progress: progress)
        }.get()
        let value = try received.decode(with: decoder, or: self.decoder).get()
        return received.map { _ in value }
    }
}

extension APIClient {
    /// Downloads the body of a response to a file, as `URLSession.downloadResult(for:to:accepting:delegate:progress:)` does.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder is not used.
    ///   - destination: The file to write. A file that is there is replaced.
    ///   - progress: A function that is called on the session's delegate queue while the body arrives.
    /// - Returns: The destination, or the error.
    @concurrent
    public func downloadResult<T>(
        for endpoint: Endpoint<T>, to destination: URL, progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await downloadResponse(for: endpoint, to: destination, progress: progress).map(\.body)
    }

    /// Downloads the body of a response to a file, as ``downloadResult(for:to:progress:)`` does, and gives the file with the status code
    /// and the headers that it came with.
    @concurrent
    public func downloadResponse<T>(
        for endpoint: Endpoint<T>, to destination: URL, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        let progress = progress.forAllAttempts
        return await send(endpoint) { request in
            await session.downloadResponse(
                for: request, to: destination, accepting: endpoint.acceptedStatusCodes, progress: progress)
        }
    }

    /// Downloads the body of a response to a file and continues a download that was interrupted, as
    /// `URLSession.resumableDownloadResult(for:to:accepting:delegate:progress:)` does.
    ///
    /// With ``Retry``, an attempt that has added to the file does not count: a download that makes progress never runs out of attempts.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder is not used.
    ///   - destination: The file to write. A file that is there is replaced.
    ///   - progress: A function that is called while the body arrives, off your actor and off the session's delegate queue.
    /// - Returns: The destination, or the error.
    @concurrent
    public func resumableDownloadResult<T>(
        for endpoint: Endpoint<T>, to destination: URL, progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await resumableDownloadResponse(for: endpoint, to: destination, progress: progress).map(\.body)
    }

    /// Downloads the body of a response to a file and continues a download that was interrupted, as
    /// ``resumableDownloadResult(for:to:progress:)`` does, and gives the file with the status code and the headers of the last response.
    @concurrent
    public func resumableDownloadResponse<T>(
        for endpoint: Endpoint<T>, to destination: URL, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        let progress = progress.forAllAttempts
        return await send(endpoint) { request in
            await session.resumableDownloadResponse(
                for: request, to: destination, accepting: endpoint.acceptedStatusCodes, progress: progress)
        }
    }

    /// Gets the headers of the response and streams its body, as `URLSession.bytesResult(for:accepting:delegate:)` does.
    ///
    /// Middleware returns when the headers have arrived, before the body.
    ///
    /// - Parameter endpoint: The endpoint. Its decoder is not used.
    /// - Returns: The response, whose body is still arriving, or the error.
    @concurrent
    public func bytesResult<T>(
        for endpoint: Endpoint<T>
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await send(endpoint) { request in
            await session.bytesResult(for: request, accepting: endpoint.acceptedStatusCodes)
        }
    }
}
