import Foundation
internal import URLSessionResultTransport

/// The beginning of a file that is being downloaded, and the version of which it is the beginning.
struct PartialFile {
    struct Version: Codable, Equatable {
        let address: UInt64
        let tag: String
        let size: Int64
    }

    let file: URL
    private let versionFile: URL
    private let address: UInt64

    init(_ names: DownloadNames, at url: URL?) {
        file = names.part
        versionFile = names.version
        address = url.hashForFile
    }

    var size: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// The version of the part. Nil if there is none, if it is that of another URL, or if the part is longer than it.
    var version: Version? {
        // A version that cannot be read is none: the file is downloaded whole.
        let data = try? Data(contentsOf: versionFile)
        let version = data.flatMap { try? JSONDecoder().decode(Version.self, from: $0) }
        guard let version, version.address == address, size <= version.size else { return nil }
        return version
    }

    /// Begins anew, with files that only this user may open. The file at the destination gets its mode when it is placed.
    func begin(_ version: Version?) throws {
        remove()
        do {
            try SystemCalls.createFile(at: file.path).close()
            if let version { try write(version) }
        } catch {
            throw error.naming(file)
        }
    }

    private func write(_ version: Version) throws {
        let file = try SystemCalls.createFile(at: versionFile.path)
        try file.write(contentsOf: JSONEncoder().encode(version))
        try file.close()
    }

    /// Adds a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - start: Where it begins. What the file has from there on is replaced.
    ///   - total: The size of the whole file, if it can be continued.
    ///   - announced: The size for reports, or a number below 1 if it is unknown.
    ///   - advances: Where progress is noted. Nil if the bytes bring the download no further than earlier attempts.
    ///   - progress: A function that takes reports.
    /// - Returns: Whether the file has its size. False if it is longer.
    /// - Throws: The error of the body or of the file system, or `URLError.networkConnectionLost` if bytes are missing.
    func append(
        _ body: ResponseBytes, at start: Int64, of total: Int64?, announced: Int64,
        notingProgressIn advances: CallProgress?,
        reportingTo progress: ProgressHandler?
    ) async throws -> Bool {
        let meter = progress.map(ProgressMeter.init)
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        try output.truncate(atOffset: UInt64(start))
        var count = start
        for try await chunk in body.chunks {
            do { try output.write(contentsOf: chunk) } catch { throw error.naming(file) }
            count += Int64(chunk.count)
            advances?.withLock { $0 += 1 }
            meter?.count(count, of: announced)?()
        }
        let total = total ?? count
        // A server may send less than it is asked for (RFC 9110, section 14.2). The next attempt asks for the rest.
        guard count >= total else { throw URLError(.networkConnectionLost) }
        guard count == total else { return false }
        meter?.finish(successfully: true)
        return true
    }

    /// Removes the files. A folder of that name is not ours, and stays.
    func remove() {
        SystemCalls.removeName(file.path)
        SystemCalls.removeName(versionFile.path)
    }
}

extension PartialFile.Version {
    /// Is nil for a response whose body cannot be continued: it has no strong tag (a weak one does not say that the bytes are the
    /// same), does not say how long the whole file is, or is compressed, although the request did not accept that.
    init?(of response: NetworkResponse<ResponseBytes>, at url: URL?) {
        let isRest = response.statusCode == 206
        let total = isRest ? response.urlResponse.contentRange?.total : response.urlResponse.lengthOfBody
        guard let tag = response.header("ETag"), tag.isStrongEntityTag else { return nil }
        guard let total, total > 0, !response.urlResponse.isEncoded else { return nil }
        self.init(address: url.hashForFile, tag: tag, size: total)
    }
}

extension URL? {
    /// A hash of the URL without its query, because a signature in the query changes with the time. The URL itself must not be
    /// written to a file: it may have a secret.
    fileprivate var hashForFile: UInt64 {
        (self?.absoluteString ?? "").prefix { $0 != "?" && $0 != "#" }.utf8.hashForFile
    }
}
