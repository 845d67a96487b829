import Foundation
import Testing
import URLSessionResult

// snippet.resumable-download
/// A download in pieces, which continues where it stopped.
struct ResumableDownload: Sendable {
    let session: URLSession
    let url: URL
    let destination: URL
    var pieceSize: UInt64 = 1 << 20

    /// The pieces so far, the newest one, and the tag of their version.
    private var parts: URL { file("part") }
    private var piece: URL { file("new") }
    private var tagFile: URL { file("tag") }

    /// Downloads what is missing. If it throws, call it again later.
    func run() async throws {
        while try await addPiece() {}
        try FileManager.default.moveItem(at: parts, to: destination)
        try? FileManager.default.removeItem(at: tagFile)
    }

    /// Adds a piece, and returns whether more are missing.
    private func addPiece() async throws -> Bool {
        let response = try await session.downloadResponse(
            for: request(), to: piece, accepting: [200, 206]
        ).get()
        let tag = response.header("ETag") ?? ""
        try Data(tag.utf8).write(to: tagFile)
        guard response.statusCode == 206 else {
            // The whole file: it changed, or there are no ranges.
            try? FileManager.default.removeItem(at: parts)
            try FileManager.default.moveItem(at: piece, to: parts)
            return false
        }
        try append(Data(contentsOf: piece), at: response.start)
        try FileManager.default.removeItem(at: piece)
        return size < response.total
    }

    /// Asks for the next piece of the same version (RFC 9110, 13.1.5).
    private func request() -> URLRequest {
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        let saved = try? String(contentsOf: tagFile, encoding: .utf8)
        let tag = saved ?? ""
        // A weak tag does not say that the bytes are the same.
        let start = tag.isEmpty || tag.hasPrefix("W/") ? 0 : size
        if start > 0 {
            request.setValue(tag, forHTTPHeaderField: "If-Range")
        }
        let range = "bytes=\(start)-\(start + pieceSize - 1)"
        request.setValue(range, forHTTPHeaderField: "Range")
        // Ranges of a compressed body would not fit together.
        request.setValue(
            "identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    private func file(_ pathExtension: String) -> URL {
        destination.appendingPathExtension(pathExtension)
    }

    private var size: UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: parts.path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    private func append(_ data: Data, at start: UInt64) throws {
        if start == 0 {
            try data.write(to: parts)
            return
        }
        let handle = try FileHandle(forWritingTo: parts)
        try handle.truncate(atOffset: start)
        try handle.seekToEnd()
        try handle.write(contentsOf: data)
        try handle.close()
    }
}

extension NetworkResponse {
    /// `Content-Range: bytes 100-199/5000` (RFC 9110, section 14.4).
    private var contentRange: [UInt64] {
        (header("Content-Range") ?? "")
            .split { !$0.isNumber }
            .compactMap { UInt64($0) }
    }

    fileprivate var start: UInt64 { contentRange.first ?? 0 }
    fileprivate var total: UInt64 { contentRange.last ?? 0 }
}
// snippet.end

@Suite("Recipe: a download that continues", .inTurn)
struct ResumeRecipe {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .ephemeral)

    /// A server with a file of a version, which breaks off the request of this number.
    private final class FileServer: Sendable {
        let server: LoopbackServer

        init(_ versions: [(tag: String, body: Data)], breakingOff broken: Int? = nil) throws {
            let count = Monitor(0)
            server = try LoopbackServer { request, connection in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let (tag, body) = versions[min(number, versions.count) - 1]
                let numbers = request.header("Range")?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
                let isCurrent = request.header("If-Range").map { $0 == tag } ?? true
                guard numbers.count == 2, isCurrent, numbers[0] < body.count else {
                    try connection.respond(headers: ["ETag": tag], body: body)
                    return
                }
                let piece = body[numbers[0]...min(numbers[1], body.count - 1)]
                let range = "bytes \(piece.startIndex)-\(piece.endIndex - 1)/\(body.count)"
                try connection.sendHead(
                    206, headers: ["ETag": tag, "Content-Range": range], contentLength: piece.count)
                try connection.send(Data(number == broken ? piece.dropLast() : piece))
                if number == broken { connection.close() }
            }
        }
    }

    private let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    private func download(_ server: LoopbackServer) -> ResumableDownload {
        ResumableDownload(
            session: session, url: server.url(), destination: folder.file("album.flac"), pieceSize: 3_000)
    }

    @Test("A download that broke off continues, and its bytes are those of the server")
    func resume() async throws {
        let files = try FileServer([("\"1\"", bytes)], breakingOff: 3)
        let download = download(files.server)
        await #expect(throws: NetworkError.self) { try await download.run() }
        #expect(!FileManager.default.fileExists(atPath: download.destination.path))
        try await download.run()
        #expect(try Data(contentsOf: download.destination) == bytes)
        #expect(
            files.server.requests.map { $0.header("Range") } == [
                "bytes=0-2999", "bytes=3000-5999", "bytes=6000-8999", "bytes=6000-8999", "bytes=9000-11999",
            ])
        #expect(files.server.requests.map { $0.header("If-Range") } == [nil, "\"1\"", "\"1\"", "\"1\"", "\"1\""])
        #expect(folder.contents == ["album.flac"])
    }

    @Test("A file that changed in the meantime is downloaded whole")
    func changedFile() async throws {
        let files = try FileServer([("\"1\"", bytes), ("\"2\"", Data(bytes.reversed()))])
        let download = download(files.server)
        try await download.run()
        #expect(try Data(contentsOf: download.destination) == Data(bytes.reversed()))
        #expect(folder.contents == ["album.flac"])
    }

    @Test("A server without ranges sends the whole file")
    func noRanges() async throws {
        let server = try LoopbackServer(.ok(bytes))
        try await download(server).run()
        #expect(try Data(contentsOf: folder.file("album.flac")) == bytes)
    }
}
