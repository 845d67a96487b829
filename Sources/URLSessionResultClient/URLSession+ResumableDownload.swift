import Foundation
internal import URLSessionResultTransport

extension URLSession {
    /// Downloads to a destination and continues an earlier download to it that was interrupted.
    ///
    /// ```swift
    /// let result = await session.resumableDownloadResult(
    ///     for: request, to: file)
    /// ```
    ///
    /// The bytes that have arrived are kept in a file beside the destination whose name ends in `.part`, even if the process ends. Which
    /// file they are of is in another one, whose name ends in `.part-version`. Remove both to give up a download. The next download to
    /// the destination requests the rest, at least the last byte, and may do so with another query, such as a new signature. If the file
    /// on the server has changed, it is downloaded whole (`If-Range`, RFC 9110, section 13.1.5). A response without a strong `ETag` or
    /// without a length cannot be continued.
    ///
    /// It does not use the resume data of `URLSession`: a process that is killed has none, they have one URL, and their file is a
    /// temporary one, which may be removed.
    ///
    /// If another download to the destination is running in this process, the error is `NetworkError.transportError` with
    /// `CocoaError.fileLocking`. If that is cancelled, this one waits for its end.
    ///
    /// - Parameters:
    ///   - request: The request to send, a GET.
    ///   - destination: The file to write. A file that is there is replaced when the new one is complete.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`. For the rest of a file, 206 does, too.
    ///   - delegate: An object that is asked before the session's delegate.
    ///   - progress: A function that is called while the body arrives, off your actor and off the session's delegate queue. It also
    ///     counts the bytes of earlier downloads.
    /// - Returns: The destination, or an error as from `downloadResult(for:to:accepting:delegate:progress:)`.
    @concurrent
    public func resumableDownloadResult(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<URL, NetworkError> {
        await resumableDownloadResponse(
            for: request, to: destination, accepting: codes.listed, delegate: delegate,
            progress: progress.forAllAttempts
        ).map(\.body)
    }

    /// The destination with the response to the last request.
    @concurrent
    func resumableDownloadResponse(
        for request: URLRequest, to destination: URL, accepting codes: [Int],
        delegate: (any URLSessionTaskDelegate)?, progress: ProgressHandler?
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await runningDownloads.run(to: destination) {
            await download(request, to: destination, accepting: codes, delegate, progress)
        }
    }

    /// Downloads as the only one to the destination.
    private func download(
        _ request: URLRequest, to destination: URL, accepting codes: [Int],
        _ delegate: (any URLSessionTaskDelegate)?, _ progress: ProgressHandler?
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        let part = PartialFile(of: destination, at: request.url)
        do {
            try destination.checkAsDestination()
            // If the file on the server has changed, it is downloaded whole, once.
            for isFirst in [true, false] {
                let response = try await complete(
                    part, by: request, accepting: codes, mayProgress: isFirst, delegate, progress)
                if let response {
                    // It may have become a folder. Then the part stays.
                    try destination.checkAsDestination()
                    let file = try part.file.placed(at: destination)
                    part.remove()
                    return .success(NetworkResponse(body: file, urlResponse: response))
                }
                part.remove()
            }
            throw URLError(.badServerResponse)
        } catch {
            return .failure(error as? NetworkError ?? .transportError(error))
        }
    }

    /// Adds the missing bytes to a part. Returns nil if they don't fit: the file on the server has changed.
    private func complete(
        _ part: PartialFile, by request: URLRequest, accepting codes: [Int], mayProgress: Bool,
        _ delegate: (any URLSessionTaskDelegate)?, _ progress: ProgressHandler?
    ) async throws -> URLResponse? {
        let version = part.version
        // The last byte of a complete part is requested again: only the server knows whether this is still the file.
        let start = version.map { min(part.size, $0.size - 1) } ?? 0
        let accepted = version == nil || start == 0 ? codes : codes + [206]
        let result = await bytesResult(
            for: request.forRest(from: start, of: version), accepting: accepted, delegate: delegate)
        // Range Not Satisfiable: the file is shorter than the part.
        if case .failure(.serverError(416, _)) = result, version != nil { return nil }
        let response = try result.get()
        let newVersion = PartialFile.Version(of: response, at: request.url)
        let startsAnew = response.statusCode != 206
        if startsAnew {
            try part.begin(newVersion)
        } else if response.contentRange?.start != start || newVersion != version {
            return nil
        }
        // A file that changes each time makes no progress.
        let isProgress = mayProgress && newVersion != nil && (!startsAnew || start == 0)
        do {
            let isWhole = try await part.append(
                response.body, at: startsAnew ? 0 : start, of: newVersion?.size,
                announced: newVersion?.size ?? response.urlResponse.lengthOfBody,
                notingProgress: isProgress, reportingTo: progress)
            return isWhole ? response.urlResponse : nil
        } catch {
            // Nobody could continue it.
            if newVersion == nil { part.remove() }
            throw error
        }
    }
}

private let runningDownloads = RunningDownloads()

extension URLRequest {
    /// The request for what follows the first bytes of a version.
    fileprivate func forRest(from start: Int64, of version: PartialFile.Version?) -> URLRequest {
        var request = self
        // Ranges of a compressed body would not fit together.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard let version, start > 0 else { return request }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.setValue("bytes=\(start)-", forHTTPHeaderField: "Range")
        request.setValue(version.tag, forHTTPHeaderField: "If-Range")
        return request
    }
}
