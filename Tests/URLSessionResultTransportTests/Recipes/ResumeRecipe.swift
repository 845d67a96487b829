import Foundation
import Testing
import URLSessionResult

// snippet.resumable-download
/// A download in pieces, which continues where it stopped. Run it once
/// at a time for a destination.
nonisolated struct ResumableDownload: Sendable {
    let session: URLSession
    let request: URLRequest
    let destination: URL
    /// In bytes, at most 1 GiB.
    var pieceSize: UInt64 = 1 << 20
    /// Gets the fraction of the whole file after each piece.
    var progress: @Sendable (Double) -> Void = { _ in }

    private enum Step { case more, complete, doesNotFit }

    /// What the pieces are pieces of.
    private struct Version: Codable, Equatable {
        let url: URL?
        let tag: String
        let size: UInt64
    }

    private var parts: URL { file("part") }
    private var versionFile: URL { file("version") }

    /// Downloads what is missing. If it throws, call it again later.
    @concurrent
    func run() async throws {
        var step = Step.more
        while step == .more {
            step = try await addPiece()
        }
        if step == .doesNotFit {
            removeFiles()
            let all = await session.downloadResult(
                for: request, to: parts)
            _ = try all.get()
        }
        try moveToDestination()
        removeFiles()
        progress(1)
    }

    /// Asks for the next piece, and adds it if it is of the same
    /// version as the others.
    private func addPiece() async throws -> Step {
        let start = size
        let saved = savedVersion
        if start > 0 {
            guard let saved, saved.url == request.url,
                start <= saved.size
            else { return .doesNotFit }
            if start == saved.size { return .complete }
        }
        let piece = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: piece) }
        let result = await session.downloadResponse(
            for: request(from: start, of: saved), to: piece,
            accepting: [200, 206])
        if case .failure(.serverError(416, _)) = result {
            // The server has less than this, so it has another version.
            return .doesNotFit
        }
        let response = try result.get()
        if response.statusCode == 200 {
            // All of it: it has changed, or the server has no ranges.
            removeFiles()
            try FileManager.default.moveItem(at: piece, to: parts)
            return .complete
        }
        let range = response.contentRange
        guard range.start == start, let total = range.total,
            let tag = response.strongTag
        else { return .doesNotFit }
        let version = Version(url: request.url, tag: tag, size: total)
        if start == 0 {
            try JSONEncoder().encode(version).write(to: versionFile)
        } else if version != saved {
            return .doesNotFit
        }
        try add(Data(contentsOf: piece), at: start)
        guard size > start, size <= total else { return .doesNotFit }
        guard size < total else { return .complete }
        progress(Double(size) / Double(total))
        return .more
    }

    /// A server sends all of it if the tag is that of another version
    /// (RFC 9110, section 13.1.5).
    private func request(
        from start: UInt64, of version: Version?
    ) -> URLRequest {
        var request = request
        request.cachePolicy = .reloadIgnoringLocalCacheData
        if start > 0 {
            request.setValue(
                version?.tag, forHTTPHeaderField: "If-Range")
        }
        let end = start + min(max(pieceSize, 1), 1 << 30) - 1
        request.setValue(
            "bytes=\(start)-\(end)", forHTTPHeaderField: "Range")
        // Ranges of a compressed body would not fit together.
        request.setValue(
            "identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    private var savedVersion: Version? {
        let data = try? Data(contentsOf: versionFile)
        return data.flatMap {
            try? JSONDecoder().decode(Version.self, from: $0)
        }
    }

    private var size: UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: parts.path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    private func add(_ data: Data, at start: UInt64) throws {
        guard start > 0 else {
            try data.write(to: parts)
            return
        }
        let handle = try FileHandle(forWritingTo: parts)
        try handle.seek(toOffset: start)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    /// Replaces a file that is there, in one step.
    private func moveToDestination() throws {
        guard rename(parts.path, destination.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    private func removeFiles() {
        try? FileManager.default.removeItem(at: parts)
        try? FileManager.default.removeItem(at: versionFile)
    }

    private func file(_ pathExtension: String) -> URL {
        destination.appendingPathExtension(pathExtension)
    }
}

nonisolated extension NetworkResponse {
    /// `Content-Range: bytes 100-199/5000` (RFC 9110, section 14.4).
    /// The total may be unknown.
    fileprivate var contentRange: (start: UInt64?, total: UInt64?) {
        let value = header("Content-Range") ?? ""
        let range = value.dropFirst("bytes ".count)
        let parts = range.split(separator: "/")
        guard parts.count == 2 else { return (nil, nil) }
        let start = parts[0].split(separator: "-").first ?? ""
        return (UInt64(start), UInt64(parts[1]))
    }

    /// A weak tag does not say that the bytes are the same.
    fileprivate var strongTag: String? {
        guard let tag = header("ETag"), !tag.hasPrefix("W/") else {
            return nil
        }
        return tag
    }
}
// snippet.end

// snippet.resumable-progress
@MainActor
final class DownloadModel {
    private(set) var fraction = 0.0

    func download(
        _ url: URL, to destination: URL, in session: URLSession
    ) async throws {
        var download = ResumableDownload(
            session: session, request: URLRequest(url: url),
            destination: destination)
        download.progress = { fraction in
            Task { @MainActor in self.fraction = fraction }
        }
        try await download.run()
    }
}
// snippet.end

@Suite("Recipe: a download that continues", .inTurn)
struct ResumeRecipe {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)
    private let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    /// A server with versions of a file, one for each request, the last one from then on.
    private struct FileServer: Sendable {
        let server: LoopbackServer

        struct Version {
            var tag: String?
            let body: Data
        }

        /// Breaks off the request of this number. May ignore `If-Range`, and not tell the length of the whole file.
        init(
            _ versions: [Version], breakingOff broken: Int? = nil, obeysIfRange: Bool = true, tellsTotal: Bool = true
        ) throws {
            let count = Monitor(0)
            server = try LoopbackServer { request, connection in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let version = versions[min(number, versions.count) - 1]
                let body = version.body
                let (name, tag) = version.tag.map { ("ETag", $0) } ?? ("X-Version", "none")
                let total = tellsTotal ? "\(body.count)" : "*"
                let numbers = request.header("Range")?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
                let isOther = request.header("If-Range").map { $0 != version.tag } ?? false
                guard numbers.count == 2, !(isOther && obeysIfRange) else {
                    try connection.respond(headers: [name: tag], body: body)
                    return
                }
                guard numbers[0] < body.count else {
                    try connection.respond(416, headers: ["Content-Range": "bytes */\(body.count)"])
                    return
                }
                let piece = body[numbers[0]...min(numbers[1], body.count - 1)]
                let range = "bytes \(piece.startIndex)-\(piece.endIndex - 1)/\(total)"
                try connection.sendHead(
                    206, headers: [name: tag, "Content-Range": range], contentLength: piece.count)
                try connection.send(Data(number == broken ? piece.dropLast() : piece))
                if number == broken { connection.close() }
            }
        }
    }

    private func download(_ server: LoopbackServer) -> ResumableDownload {
        ResumableDownload(
            session: session, request: URLRequest(url: server.url()), destination: folder.file("album.flac"),
            pieceSize: 3_000)
    }

    /// The pieces that a process has left, of a version.
    private func leave(_ pieces: Data, of tag: String, size: Int, from server: LoopbackServer) {
        _ = folder.file("album.flac.part", pieces)
        let version = #"{"url": "\#(server.url())", "tag": "\"\#(tag)\"", "size": \#(size)}"#
        _ = folder.file("album.flac.version", Data(version.utf8))
    }

    private func expectDownload(_ expected: Data, from files: FileServer) async throws {
        let download = download(files.server)
        try await download.run()
        #expect(try Data(contentsOf: download.destination) == expected)
        #expect(folder.contents == ["album.flac"])
    }

    @Test("A download that broke off continues, and its bytes are those of the server")
    func resume() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], breakingOff: 3)
        let download = download(files.server)
        await #expect(throws: NetworkError.self) { try await download.run() }
        #expect(!FileManager.default.fileExists(atPath: download.destination.path))
        try await expectDownload(bytes, from: files)
        #expect(
            files.server.requests.map { $0.header("Range") } == [
                "bytes=0-2999", "bytes=3000-5999", "bytes=6000-8999", "bytes=6000-8999", "bytes=9000-11999",
            ])
        #expect(files.server.requests.map { $0.header("If-Range") } == [nil, "\"1\"", "\"1\"", "\"1\"", "\"1\""])
    }

    @Test("The progress counts what an earlier run has downloaded, and ends with 1")
    func progress() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        leave(bytes.prefix(3_000), of: "1", size: bytes.count, from: files.server)
        var download = download(files.server)
        let reports = Monitor<[Double]>([])
        download.progress = { report in reports.withLock { $0.append(report) } }
        try await download.run()
        #expect(reports.value == [0.6, 0.9, 1])
    }

    @MainActor
    @Test("A model shows the progress")
    func model() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        let model = DownloadModel()
        try await model.download(files.server.url(), to: folder.file("album.flac"), in: session)
        while model.fraction < 1 { await Task.yield() }
        #expect(try Data(contentsOf: folder.file("album.flac")) == bytes)
    }

    @Test("A file that is there already is replaced")
    func replaces() async throws {
        _ = folder.file("album.flac", Data("old".utf8))
        try await expectDownload(bytes, from: FileServer([.init(tag: "\"1\"", body: bytes)]))
    }

    @Test("Where the process ended after the last piece, nothing is asked for")
    func nothingMissing() async throws {
        let files = try FileServer([.init(tag: "\"2\"", body: Data())])
        leave(bytes, of: "1", size: bytes.count, from: files.server)
        try await expectDownload(bytes, from: files)
        #expect(files.server.requests.isEmpty)
    }

    @Test(
        "Pieces that cannot be of the file are not used: too many, of another version, of none",
        arguments: [(20_000, "1", 10_000), (10_000, "1", 20_000), (6_000, "0", 10_000), (3_000, "0", 6_000)],
        [true, false])
    func unusable(_ left: (count: Int, tag: String, size: Int), obeysIfRange: Bool) async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], obeysIfRange: obeysIfRange)
        leave(Data(repeating: 7, count: left.count), of: left.tag, size: left.size, from: files.server)
        try await expectDownload(bytes, from: files)
    }

    @Test("A new version as long as the pieces of the old one is downloaded whole", arguments: [true, false])
    func newVersionOfSameSize(obeysIfRange: Bool) async throws {
        let newBytes = Data(repeating: 9, count: 3_000)
        let files = try FileServer([.init(tag: "\"2\"", body: newBytes)], obeysIfRange: obeysIfRange)
        leave(bytes.prefix(3_000), of: "1", size: bytes.count, from: files.server)
        try await expectDownload(newBytes, from: files)
    }

    @Test("A piece without bytes, and one that is too long, end the pieces", arguments: [0, 20_000])
    func oddPiece(_ count: Int) async throws {
        let whole = bytes
        let server = try LoopbackServer { request, connection in
            guard request.header("Range") != nil else {
                try connection.respond(body: whole)
                return
            }
            let range = "bytes 0-2999/\(whole.count)"
            try connection.respond(
                206, headers: ["ETag": "\"1\"", "Content-Range": range], body: Data(repeating: 7, count: count))
        }
        try await download(server).run()
        #expect(try Data(contentsOf: folder.file("album.flac")) == whole)
        #expect(server.requests.count == 2)
    }

    @Test("Pieces of another URL are not used, also with the same tag and size", arguments: [3_000, 10_000])
    func otherURL(_ count: Int) async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        let other = try LoopbackServer(.ok())
        leave(Data(repeating: 7, count: count), of: "1", size: bytes.count, from: other)
        try await expectDownload(bytes, from: files)
    }

    @Test("A piece of any size may be asked for", arguments: [0, UInt64.max])
    func pieceSize(_ size: UInt64) async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        leave(bytes.prefix(9_999), of: "1", size: bytes.count, from: files.server)
        var download = download(files.server)
        download.pieceSize = size
        try await download.run()
        #expect(try Data(contentsOf: download.destination) == bytes)
        #expect(files.server.requests.count == 1)
    }

    @Test("A file that changed in the meantime is downloaded whole", arguments: [true, false])
    func changedFile(obeysIfRange: Bool) async throws {
        let newBytes = Data(bytes.reversed())
        let files = try FileServer(
            [.init(tag: "\"1\"", body: bytes), .init(tag: "\"2\"", body: newBytes)], obeysIfRange: obeysIfRange)
        try await expectDownload(newBytes, from: files)
    }

    @Test("Without a strong tag, a download is never put together from pieces", arguments: [nil, "W/\"1\""])
    func noStrongTag(_ tag: String?) async throws {
        let files = try FileServer([.init(tag: tag, body: bytes)])
        try await expectDownload(bytes, from: files)
        #expect(files.server.requests.map { $0.header("Range") } == ["bytes=0-2999", nil])
    }

    @Test("Pieces of no known version are not used")
    func lostVersion() async throws {
        _ = folder.file("album.flac.part", Data(repeating: 7, count: bytes.count))
        try await expectDownload(bytes, from: FileServer([.init(tag: "\"1\"", body: bytes)]))
    }

    @Test("A server that does not say how much there is sends the whole file")
    func unknownTotal() async throws {
        try await expectDownload(bytes, from: FileServer([.init(tag: "\"1\"", body: bytes)], tellsTotal: false))
    }

    @Test("An empty file is downloaded")
    func emptyFile() async throws {
        try await expectDownload(Data(), from: FileServer([.init(tag: "\"1\"", body: Data())]))
    }

    @Test("A server without ranges sends the whole file")
    func noRanges() async throws {
        let server = try LoopbackServer(.ok(bytes))
        try await download(server).run()
        #expect(try Data(contentsOf: folder.file("album.flac")) == bytes)
        #expect(folder.contents == ["album.flac"])
    }

    @Test("A refusal is an error, and the pieces stay for later")
    func refused() async throws {
        let busy = try LoopbackServer(.status(503))
        leave(bytes.prefix(3_000), of: "1", size: bytes.count, from: busy)
        let left = folder.contents
        let error = await #expect(throws: NetworkError.self) { try await download(busy).run() }
        #expect(error?.statusCode == 503)
        #expect(busy.requests.map { $0.header("Range") } == ["bytes=3000-5999"])
        #expect(folder.contents == left)
    }
}
