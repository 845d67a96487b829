import Foundation
internal import URLSessionResultTransport

/// A download that keeps what has arrived, and continues what an earlier one has kept.
struct ResumableDownload {
    let session: URLSession
    let request: URLRequest
    let destination: URL
    let codes: [Int]
    let delegate: (any URLSessionTaskDelegate)?
    let progress: ProgressHandler?

    /// Downloads, unless another download to the destination is running.
    func result() async -> Result<NetworkResponse<URL>, NetworkError> {
        do {
            guard request.url != nil else { throw URLError(.badURL) }
            try destination.checkAsDestination()
            let names = try DownloadNames(of: destination)
            for file in [names.part, names.version] { try file.checkAsDestination() }
            // The folder comes first, because links are resolved only in folders that exist.
            try destination.deletingLastPathComponent().createFolder()
            return await runningDownloads.run(to: destination, locking: names.lock) {
                await locked(names.lock) { try await download(by: PartialFile(names, at: request.url)) }
            }
        } catch {
            return .failure(error.asNetworkError)
        }
    }

    /// Runs a function while no other process runs one with the same lock.
    private func locked(
        _ url: URL, _ body: () async throws -> NetworkResponse<URL>
    ) async -> Result<NetworkResponse<URL>, NetworkError> {
        do {
            guard let lock = try DownloadLock(at: url) else { return .failure(.occupied(destination)) }
            defer { lock.release() }
            return .success(try await body())
        } catch {
            return .failure(error.asNetworkError)
        }
    }

    private func download(by part: PartialFile) async throws -> NetworkResponse<URL> {
        // The second round downloads the whole file, if it has changed on the server.
        for isFirst in [true, false] {
            switch try await complete(part, mayProgress: isFirst) {
            case .whole(let response):
                // The destination may have become a folder meanwhile. Then the part stays.
                try destination.checkAsDestination()
                let file = try part.file.renamed(to: destination)
                part.remove()
                return response.map { _ in file }
            case .ofOtherFile:
                part.remove()
            }
        }
        throw URLError(.badServerResponse)
    }

    /// What has become of a part.
    private enum Part {
        case whole(NetworkResponse<Void>)

        /// The server has another file now, of which the part is no beginning.
        case ofOtherFile
    }

    /// Adds the missing bytes to a part.
    private func complete(_ part: PartialFile, mayProgress: Bool) async throws -> Part {
        let version = part.version
        // The last byte of a complete part is requested again: only the server knows whether this is still the file.
        let size = version == nil ? 0 : part.size
        let start = version.map { min(size, $0.size - 1) } ?? 0
        let requestsRest = start > 0
        let result = await session.bytesResult(
            for: request.forRest(from: start, of: version),
            accepting: requestsRest ? codes.filter { $0 != 416 } + [206] : codes,
            delegate: delegate)
        // Range Not Satisfiable: the file is shorter than the part.
        if case .failure(.serverError(416, _)) = result, version != nil { return .ofOtherFile }
        let response = try result.get()
        let newVersion = PartialFile.Version(of: response, at: request.url)
        let isRest = response.statusCode == 206
        if !isRest {
            try part.begin(newVersion)
        } else if !requestsRest {
            throw URLError(.badServerResponse)
        } else if response.urlResponse.contentRange?.first != start || newVersion != version {
            return .ofOtherFile
        }
        // Only bytes behind all kept bytes are progress, and only in the first round: a file that changes with each request would
        // otherwise make progress each time, and `Retry` would never give up.
        let isProgress = mayProgress && newVersion != nil && start == size && (isRest || start == 0)
        do {
            let fits = try await part.append(
                response.body, at: isRest ? start : 0, of: newVersion?.size,
                announced: newVersion?.size ?? response.urlResponse.lengthOfBody,
                notingProgressIn: isProgress ? Surroundings.current.advances(ofTransferOf: request) : nil,
                reportingTo: progress)
            return fits ? .whole(response.map { _ in }) : .ofOtherFile
        } catch {
            // Without a version, no later download can continue the part.
            if newVersion == nil { part.remove() }
            throw error
        }
    }
}

private let runningDownloads = RunningDownloads()

extension NetworkError {
    /// The error of a destination to which another download is running.
    static func occupied(_ destination: URL) -> NetworkError {
        .transportError(CocoaError(.fileLocking, userInfo: [NSURLErrorKey: destination]))
    }
}

extension Error {
    fileprivate var asNetworkError: NetworkError { self as? NetworkError ?? .transportError(self) }
}

extension URLRequest {
    /// The request for what follows the first bytes of a version.
    fileprivate func forRest(from start: Int64, of version: PartialFile.Version?) -> URLRequest {
        var request = self
        // A compressed body could not be continued.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard let version, start > 0 else { return request }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.requestRest(from: start, of: version.tag)
        return request
    }
}
