import Foundation
import Testing
import URLSessionResult

// snippet.resumable-download
/// A download in pieces, which continues where it stopped. Run it once
/// at a time for a destination.
struct ResumableDownload: Sendable {
    let session: URLSession
    let url: URL
    let destination: URL
    var pieceSize: UInt64 = 1 << 20

    private enum Step { case more, complete, doesNotFit }

    /// The pieces so far, the newest one, and the tag of their version.
    private var parts: URL { file("part") }
    private var piece: URL { file("new") }
    private var tagFile: URL { file("tag") }

    /// Downloads what is missing. If it throws, call it again later.
    func run() async throws {
        var step = Step.more
        while step == .more {
            step = try await addPiece()
        }
        if step == .doesNotFit {
            removeFiles()
            let all = await session.downloadResult(from: url, to: parts)
            _ = try all.get()
        }
        try moveToDestination()
        removeFiles()
    }

    /// Asks for the next piece, and adds it if it is of the same
    /// version as the others.
    private func addPiece() async throws -> Step {
        let start = size
        let result = await session.downloadResponse(
            for: request(from: start), to: piece, accepting: [200, 206])
        if case .failure(.serverError(416, let response)) = result {
            // Nothing follows: this is all, unless it is too much.
            let total = response.contentRange.total
            return start > 0 && total == start ? .complete : .doesNotFit
        }
        let response = try result.get()
        let tag = response.header("ETag") ?? ""
        if response.statusCode == 200 {
            // All of it: it has changed, or the server has no ranges.
            removeParts()
            try Data(tag.utf8).write(to: tagFile)
            try FileManager.default.moveItem(at: piece, to: parts)
            return .complete
        }
        let range = response.contentRange
        guard range.start == start, let total = range.total,
            isStrong(tag), start == 0 || tag == savedTag
        else { return .doesNotFit }
        if start == 0 {
            try Data(tag.utf8).write(to: tagFile)
        }
        try append(Data(contentsOf: piece))
        return size < total ? .more : .complete
    }

    /// A server sends all of it if the tag is that of an older version
    /// (RFC 9110, section 13.1.5).
    private func request(from start: UInt64) -> URLRequest {
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        if start > 0 {
            request.setValue(savedTag, forHTTPHeaderField: "If-Range")
        }
        let end = start + max(pieceSize, 1) - 1
        request.setValue(
            "bytes=\(start)-\(end)", forHTTPHeaderField: "Range")
        // Ranges of a compressed body would not fit together.
        request.setValue(
            "identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    /// A weak tag does not say that the bytes are the same.
    private func isStrong(_ tag: String) -> Bool {
        !tag.isEmpty && !tag.hasPrefix("W/")
    }

    private var savedTag: String? {
        try? String(contentsOf: tagFile, encoding: .utf8)
    }

    private var size: UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: parts.path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    private func append(_ data: Data) throws {
        guard size > 0 else {
            try data.write(to: parts)
            return
        }
        let handle = try FileHandle(forWritingTo: parts)
        try handle.seekToEnd()
        try handle.write(contentsOf: data)
        try handle.close()
    }

    /// Replaces a file that is there, in one step.
    private func moveToDestination() throws {
        guard rename(parts.path, destination.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    private func removeParts() {
        try? FileManager.default.removeItem(at: parts)
    }

    private func removeFiles() {
        removeParts()
        try? FileManager.default.removeItem(at: piece)
        try? FileManager.default.removeItem(at: tagFile)
    }

    private func file(_ pathExtension: String) -> URL {
        destination.appendingPathExtension(pathExtension)
    }
}

extension NetworkResponse {
    /// `Content-Range: bytes 100-199/5000`, or `bytes */5000` of a 416
    /// (RFC 9110, section 14.4). A number may be unknown.
    fileprivate var contentRange: (start: UInt64?, total: UInt64?) {
        let value = header("Content-Range") ?? ""
        let range = value.dropFirst("bytes ".count)
        let parts = range.split(separator: "/")
        guard parts.count == 2 else { return (nil, nil) }
        let start = parts[0].split(separator: "-").first ?? ""
        return (UInt64(start), UInt64(parts[1]))
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
            session: session, url: server.url(), destination: folder.file("album.flac"), pieceSize: 3_000)
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

    @Test("A file that is there already is replaced")
    func replaces() async throws {
        _ = folder.file("album.flac", Data("old".utf8))
        try await expectDownload(bytes, from: FileServer([.init(tag: "\"1\"", body: bytes)]))
    }

    @Test("Where the process ended after the last piece, one request shows that nothing is missing")
    func nothingMissing() async throws {
        _ = folder.file("album.flac.part", bytes)
        _ = folder.file("album.flac.tag", Data("\"1\"".utf8))
        _ = folder.file("album.flac.new", Data("left behind".utf8))
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        try await expectDownload(bytes, from: files)
        #expect(files.server.requests.map { $0.header("Range") } == ["bytes=10000-12999"])
    }

    @Test("Where more is there than the server has, the download begins again", arguments: [true, false])
    func tooMuch(isSameVersion: Bool) async throws {
        _ = folder.file("album.flac.part", bytes + bytes)
        _ = folder.file("album.flac.tag", Data((isSameVersion ? "\"1\"" : "\"0\"").utf8))
        try await expectDownload(bytes, from: FileServer([.init(tag: "\"1\"", body: bytes)]))
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

    @Test("Pieces that somebody left without a tag are not used")
    func lostTag() async throws {
        _ = folder.file("album.flac.part", Data("pieces".utf8))
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
        _ = folder.file("album.flac.part", Data(bytes.prefix(3_000)))
        _ = folder.file("album.flac.tag", Data("\"1\"".utf8))
        let busy = try LoopbackServer(.status(503))
        let error = await #expect(throws: NetworkError.self) { try await download(busy).run() }
        #expect(error?.statusCode == 503)
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        try await expectDownload(bytes, from: files)
        #expect(files.server.requests.first?.header("Range") == "bytes=3000-5999")
    }
}
