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
    /// without a length cannot be continued. The names are those of the destination, or its beginning and a hash if that has more than
    /// 242 bytes.
    ///
    /// It does not use the resume data of `URLSession`: a process that is killed leaves none, resume data works for one URL only,
    /// and its temporary file may be removed by the system.
    ///
    /// If another download to the destination is running, in this process or in another, the error is `NetworkError.transportError`
    /// with `CocoaError.fileLocking`. If that one is of this process and is cancelled, this one waits for its end. While a download runs,
    /// a file whose name ends in `.part-lock` is locked (`flock`). Downloads to `a`, `a.part` and `a.part-version` have one lock, and no
    /// destination may have the name of one.
    ///
    /// - Parameters:
    ///   - request: The request to send, a GET of the whole file.
    ///   - destination: The file to write. A file that is there is replaced when the new one is complete, and missing folders are created.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`. For the rest of a file, 206 does, too. A 206 to a
    ///     request for the whole file is `NetworkError.transportError` with `URLError.badServerResponse`.
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
            for: request, to: destination, accepting: codes, delegate: delegate, progress: progress
        ).map(\.body)
    }

    /// Downloads to a destination, continues an earlier download that was interrupted, and gives the response as well, for when headers
    /// such as `ETag` matter.
    ///
    /// Otherwise as ``resumableDownloadResult(for:to:accepting:delegate:progress:)``.
    ///
    /// - Returns: The destination with the response to the last request. Of a download that was continued, this is the 206 that brought
    ///   the rest.
    @concurrent
    public func resumableDownloadResponse(
        for request: URLRequest, to destination: URL, accepting codes: some StatusCodes = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil, progress: ProgressHandler? = nil
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        await ResumableDownload(
            session: self, request: request, destination: destination, codes: codes.listed, delegate: delegate,
            progress: progress.forAllAttempts
        ).result()
    }
}
