import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct ResumableDownloadTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)
    private let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    private var file: URL { folder.file("album.flac") }

    /// A server with versions of a file, one for each request, the last one from then on.
    private struct FileServer: Sendable {
        let server: LoopbackServer

        struct Version {
            var tag: String?
            let body: Data
        }

        /// Breaks off the first requests after these numbers of bytes. May ignore `If-Range`, and not tell the length of the whole.
        init(_ versions: [Version], breakingOffAfter breaks: [Int] = [], obeysIfRange: Bool = true) throws {
            let count = Monitor(0)
            server = try LoopbackServer { request, connection in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let version = versions[min(number, versions.count) - 1]
                let (name, tag) = version.tag.map { ("ETag", $0) } ?? ("X-Version", "none")
                let start = request.header("Range").flatMap { Int($0.filter(\.isNumber)) }
                let isOther = request.header("If-Range").map { $0 != version.tag } ?? false
                var piece = version.body
                if let start, !(isOther && obeysIfRange) {
                    guard start < piece.count else {
                        return try connection.respond(416, headers: ["Content-Range": "bytes */\(piece.count)"])
                    }
                    piece = piece[start...]
                    let range = "bytes \(start)-\(version.body.count - 1)/\(version.body.count)"
                    try connection.sendHead(
                        206, headers: [name: tag, "Content-Range": range], contentLength: piece.count)
                } else {
                    try connection.sendHead(200, headers: [name: tag], contentLength: piece.count)
                }
                guard number <= breaks.count else { return try connection.send(Data(piece)) }
                try connection.send(Data(piece.prefix(breaks[number - 1])))
                connection.close()
            }
        }
    }

    private func download(_ server: LoopbackServer, progress: ProgressHandler? = nil) async -> Result<URL, NetworkError>
    {
        await session.resumableDownloadResult(for: URLRequest(url: server.url()), to: file, progress: progress)
    }

    /// What a process has left.
    private func leave(_ part: Data, of tag: String, size: Int, from server: LoopbackServer) {
        _ = folder.file("album.flac.part", part)
        let address = server.url().absoluteString.utf8
            .reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let version = #"{"address": \#(address), "tag": "\"\#(tag)\"", "size": \#(size)}"#
        _ = folder.file("album.flac.part-version", Data(version.utf8))
    }

    private func expectDownload(_ expected: Data, from files: FileServer) async throws {
        #expect(try await download(files.server).get() == file)
        #expect(try Data(contentsOf: file) == expected)
        #expect(folder.contents == ["album.flac"])
    }

    @Test("A download that broke off continues, and its bytes are those of the server")
    func resume() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], breakingOffAfter: [40_000, 0, 20_000])
        for size in [40_000, 40_000, 60_000] {
            #expect(await download(files.server).error?.urlError?.code == .networkConnectionLost)
            #expect(folder.contents == ["album.flac.part", "album.flac.part-version"])
            #expect(try Data(contentsOf: folder.file("album.flac.part")) == bytes.prefix(size))
        }
        try await expectDownload(bytes, from: files)
        let ranges = files.server.requests.map { $0.header("Range") }
        #expect(ranges == [nil, "bytes=40000-", "bytes=40000-", "bytes=60000-"])
        #expect(files.server.requests.map { $0.header("If-Range") } == [nil, "\"1\"", "\"1\"", "\"1\""])
    }

    @Test("Under a retry, and with a token, it continues by itself")
    func retries() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], breakingOffAfter: [40_000, 0, 20_000])
        var retry = Retry()
        retry.sleep = { _ in }
        let client = APIClient(
            baseURL: files.server.url(), session: session,
            middleware: [retry, TokenAuthentication("1", for: files.server.url())])
        let reports = Monitor<[TransferProgress]>([])
        let result = await client.resumableDownloadResult(for: Endpoint(.get, ""), to: file) { report in
            reports.withLock { $0.append(report) }
        }
        #expect(try Data(contentsOf: result.get()) == bytes)
        #expect(files.server.requests.count == 4)
        #expect(files.server.requests.allSatisfy { $0.header("Authorization") == "Bearer 1" })
        let counts = reports.value.map(\.completedBytes)
        #expect(counts == counts.sorted())
        #expect(reports.value.last == TransferProgress(completedBytes: 100_000, totalBytes: 100_000))
        #expect(reports.value.count <= 110)
    }

    @Test("Under a retry, a server that refuses each range gets no more attempts than others")
    func refusedRanges() async throws {
        let count = Monitor(0)
        let server = try LoopbackServer { [bytes] request, connection in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if request.header("Range") != nil { return try connection.respond(416) }
            try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: bytes.count)
            try connection.send(number < 30 ? bytes.prefix(10_000) : bytes)
            connection.close()
        }
        var retry = Retry(attempts: 2)
        retry.sleep = { _ in }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry])
        let result = await client.resumableDownloadResult(for: Endpoint(.get, ""), to: file)
        #expect(result.error?.urlError?.code == .networkConnectionLost)
        // The first bytes, which are progress; then a range, and all again, which is none.
        #expect(server.requests.map { $0.header("Range") != nil } == [false, true, false])
    }

    @Test("Under a retry, a server that ends whole bodies wrongly gets no more attempts than others")
    func endlessEnd() async throws {
        let server = try LoopbackServer { [bytes] request, connection in
            guard let start = request.header("Range").flatMap({ Int($0.filter(\.isNumber)) }) else {
                try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: bytes.count)
                try connection.send(bytes.prefix(40_000))
                return connection.close()
            }
            let rest = bytes[start...]
            try connection.send(
                """
                HTTP/1.1 206 Partial Content\r\nETag: "1"\r\nTransfer-Encoding: chunked\r\n\
                Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)\r\n\r\n\
                \(String(rest.count, radix: 16))\r\n
                """)
            try connection.send(rest + Data("\r\n".utf8))
            connection.close()
        }
        var retry = Retry(attempts: 2)
        retry.sleep = { _ in }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry])
        let result = await client.resumableDownloadResult(for: Endpoint(.get, ""), to: file)
        #expect(result.error?.urlError?.code == .networkConnectionLost)
        // The beginning and the rest are progress, the last byte is none, and is the second attempt.
        #expect(server.requests.count == 3)
    }

    @Test("A range that the server refuses is asked for no more, also where each status is accepted")
    func acceptedRefusal() async throws {
        let server = try LoopbackServer { [bytes] request, connection in
            if request.header("Range") != nil { return try connection.respond(416, headers: [:]) }
            try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: bytes.count)
            try connection.send(request.header("X-Whole") == nil ? bytes.prefix(40_000) : bytes)
            connection.close()
        }
        var request = URLRequest(url: server.url())
        let first = await session.resumableDownloadResult(for: request, to: file)
        #expect(first.error != nil)
        request.setValue("1", forHTTPHeaderField: "X-Whole")
        _ = try await session.resumableDownloadResult(for: request, to: file, accepting: 0...999).get()
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("A file that the server compresses all the same is downloaded, and is not continued", arguments: [1, 2])
    func compressed(attempts: Int) async throws {
        let body = bytes.inGzip
        let server = try LoopbackServer { [attempts] request, connection in
            let headers: KeyValuePairs = ["Content-Encoding": "gzip", "ETag": "\"1\""]
            try connection.sendHead(200, headers: headers, contentLength: body.count)
            try connection.send(attempts == 1 ? body : body.prefix(50_000))
            if attempts > 1 { connection.close() }
        }
        let result = await download(server)
        #expect((try? result.contents.get()) == (attempts == 1 ? bytes : nil))
        #expect(folder.contents == (attempts == 1 ? ["album.flac"] : []))
        #expect(server.requests.count == 1)
    }

    @Test("A file without a tag reports its size, too")
    func sizeWithoutTag() async throws {
        let files = try FileServer([.init(tag: nil, body: bytes)])
        let reports = Monitor<[TransferProgress]>([])
        _ = try await download(files.server) { report in reports.withLock { $0.append(report) } }.get()
        #expect(reports.value.allSatisfy { $0.totalBytes == 100_000 })
        #expect(reports.value.last?.completedBytes == 100_000)
    }

    @Test("A download that fails before it begins leaves the part of another file")
    func partOfOther() async throws {
        let server = try LoopbackServer(.status(503))
        let other = try LoopbackServer(.ok())
        leave(bytes.prefix(30_000), of: "1", size: bytes.count, from: other)
        #expect(await download(server).error?.statusCode == 503)
        #expect(folder.contents == ["album.flac.part", "album.flac.part-version"])
    }

    @Test("Cancelling leaves what has arrived")
    func cancelling() async throws {
        let part = bytes.prefix(40_000)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: 100_000)
            try connection.send(Data(part))
            connection.waitForClientToClose()
        }
        let arrived = Monitor(Int64(0))
        let running = Task {
            await download(server) { report in arrived.withLock { $0 = report.completedBytes } }
        }
        try await arrived.value { $0 == 40_000 }
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
        #expect(try Data(contentsOf: folder.file("album.flac.part")) == part)
    }

    @Test("A file that is there already is replaced, and missing folders are created")
    func replaces() async throws {
        _ = folder.file("album.flac", Data("old".utf8))
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        try await expectDownload(bytes, from: files)
        let deep = folder.url.appendingPathComponent("a/b/c")
        let result = await session.resumableDownloadResult(for: URLRequest(url: files.server.url()), to: deep)
        #expect(try Data(contentsOf: result.get()) == bytes)
    }

    @Test("Where the process ended after the last byte, the server is asked for that one again", arguments: [1, 2])
    func nothingMissing(version: Int) async throws {
        let files = try FileServer([.init(tag: "\"\(version)\"", body: version == 1 ? bytes : Data("new".utf8))])
        leave(bytes, of: "1", size: bytes.count, from: files.server)
        let reports = Monitor<[TransferProgress]>([])
        let result = await download(files.server) { report in reports.withLock { $0.append(report) } }
        #expect(try result.contents.get() == (version == 1 ? bytes : Data("new".utf8)))
        #expect(reports.value.last?.fractionCompleted == 1)
        #expect(folder.contents == ["album.flac"])
        #expect(files.server.requests.map { $0.header("Range") } == ["bytes=99999-"])
        #expect(files.server.requests.map { $0.header("If-Range") } == ["\"1\""])
    }

    @Test(
        "What cannot be the beginning of the file is not used: too much, of another version, of none",
        arguments: [(200_000, "1", 100_000), (60_000, "0", 100_000), (30_000, "0", 60_000)], [true, false])
    func unusable(_ left: (count: Int, tag: String, size: Int), obeysIfRange: Bool) async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], obeysIfRange: obeysIfRange)
        leave(Data(repeating: 7, count: left.count), of: left.tag, size: left.size, from: files.server)
        try await expectDownload(bytes, from: files)
    }

    @Test("A new version that is shorter than the part is downloaded whole")
    func shorterVersion() async throws {
        let newBytes = Data(repeating: 9, count: 3_000)
        let files = try FileServer([.init(tag: "\"2\"", body: newBytes)], obeysIfRange: false)
        leave(bytes.prefix(30_000), of: "1", size: bytes.count, from: files.server)
        try await expectDownload(newBytes, from: files)
        #expect(files.server.requests.count == 2)
    }

    @Test("A part of another URL is not used, also with the same tag and size", arguments: [30_000, 100_000])
    func otherURL(_ count: Int) async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        let other = try LoopbackServer(.ok())
        leave(Data(repeating: 7, count: count), of: "1", size: bytes.count, from: other)
        try await expectDownload(bytes, from: files)
    }

    @Test("Without a strong tag, nothing is left and all is sent again", arguments: [nil, "W/\"1\"", "w/\"1\"", "1"])
    func noStrongTag(_ tag: String?) async throws {
        let files = try FileServer([.init(tag: tag, body: bytes)], breakingOffAfter: [40_000])
        #expect(await download(files.server).error != nil)
        #expect(folder.contents.isEmpty)
        try await expectDownload(bytes, from: files)
        #expect(files.server.requests.allSatisfy { $0.header("Range") == nil })
    }

    @Test("A part of no known version is not used, and an empty file and one of unknown length are downloaded")
    func otherFiles() async throws {
        _ = folder.file("album.flac.part", Data(repeating: 7, count: bytes.count))
        try await expectDownload(bytes, from: FileServer([.init(tag: "\"1\"", body: bytes)]))
        try await expectDownload(Data(), from: FileServer([.init(tag: "\"1\"", body: Data())]))
        let unknown = try LoopbackServer(.raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\r\nbody"))
        #expect(try await Data(contentsOf: download(unknown).get()) == Data("body".utf8))
        #expect(folder.contents == ["album.flac"])
    }

    @Test("A range that begins elsewhere is not added, and the file is downloaded whole", arguments: [0, 20_000])
    func wrongRange(_ start: Int) async throws {
        let server = try LoopbackServer { [bytes] request, connection in
            let hasRange = request.header("Range") != nil
            let piece = hasRange ? Data(bytes[start...].prefix(bytes.count - 30_000)) : bytes
            let range = "bytes \(start)-\(start + piece.count - 1)/\(bytes.count)"
            let field = hasRange ? ("Content-Range", range) : ("X-Range", "none")
            try connection.respond(hasRange ? 206 : 200, headers: ["ETag": "\"1\"", field.0: field.1], body: piece)
        }
        leave(bytes.prefix(30_000), of: "1", size: bytes.count, from: server)
        #expect(try await Data(contentsOf: download(server).get()) == bytes)
        #expect(server.requests.map { $0.header("Range") } == ["bytes=30000-", nil])
    }

    @Test(
        "A rest that RFC 9110 forbids to join is not added, and the file is downloaded whole",
        arguments: [
            ("items 30000-99999/100000", "identity"), ("bytes 30000-29999/100000", "identity"),
            ("bytes 30000-100000/100000", "identity"), ("bytes 30000-99999/100000", "gzip"),
        ])
    func forbiddenRest(range: String, encoding: String) async throws {
        let other = Data(repeating: 7, count: 70_000)
        let server = try LoopbackServer { [bytes] request, connection in
            guard request.header("Range") != nil else {
                return try connection.respond(headers: ["ETag": "\"1\""], body: bytes)
            }
            let headers: KeyValuePairs = ["ETag": "\"1\"", "Content-Range": range, "Content-Encoding": encoding]
            try connection.respond(206, headers: headers, body: encoding == "gzip" ? other.inGzip : other)
        }
        leave(bytes.prefix(30_000), of: "1", size: bytes.count, from: server)
        #expect(try await Data(contentsOf: download(server).get()) == bytes)
        #expect(server.requests.map { $0.header("Range") } == ["bytes=30000-", nil])
    }

    @Test("A refusal is an error, and the part stays for later", arguments: [30_000, 100_000])
    func refused(_ count: Int) async throws {
        let busy = try LoopbackServer(.status(503))
        leave(bytes.prefix(count), of: "1", size: bytes.count, from: busy)
        let left = folder.contents
        #expect(await download(busy).error?.statusCode == 503)
        #expect(folder.contents == left)
    }

    @Test("A folder in place of the file is an error, and so is a file in place of a folder")
    func noFile() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        let inside = folder.file("x", Data()).appendingPathComponent("y")
        for place in [folder.url, inside] {
            let result = await session.resumableDownloadResult(for: URLRequest(url: files.server.url()), to: place)
            #expect(result.error?.underlyingError != nil)
        }
    }

    @Test("A newly signed query goes on, and another path does not")
    func signedQuery() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], breakingOffAfter: [40_000])
        func download(_ target: String) async -> Result<URL, NetworkError> {
            await session.resumableDownloadResult(for: URLRequest(url: files.server.url(target)), to: file)
        }
        #expect(await download("/a?signature=1").error != nil)
        #expect(try await download("/a?signature=2").contents.get() == bytes)
        #expect(files.server.requests.map { $0.header("Range") } == [nil, "bytes=40000-"])
        let others = try FileServer([.init(tag: "\"1\"", body: bytes)], breakingOffAfter: [40_000])
        for (target, isWhole) in [("/a", false), ("/b", true)] {
            let request = URLRequest(url: others.server.url(target))
            let result = await session.resumableDownloadResult(for: request, to: file)
            #expect((result.error == nil) == isWhole)
        }
        #expect(others.server.requests.map { $0.header("Range") } == [nil, nil])
    }

    @Test("Of two downloads to a destination at the same time, the second fails at once")
    func twice() async throws {
        let gate = Gate()
        let answer = LoopbackServer.Response.ok("done", headers: ["ETag": "\"1\""])
        let server = try LoopbackServer.inTurn(answer.once(gate), answer)
        let first = Task { await download(server) }
        try await server.requests(atLeast: 1)
        let same = folder.url.appendingPathComponent("x/../album.flac")
        let second = await session.resumableDownloadResult(for: URLRequest(url: server.url()), to: same)
        #expect((second.error?.underlyingError as? CocoaError)?.code == .fileLocking)
        gate.open()
        #expect(try await first.value.contents.get() == Data("done".utf8))
        #expect(try await download(server).contents.get() == Data("done".utf8))
        #expect(server.requests.count == 2)
    }

    @Test("A download that is cancelled and started again at once goes on")
    func startedAgain() async throws {
        let server = try LoopbackServer { [bytes] request, connection in
            let start = request.header("Range").flatMap { Int($0.filter(\.isNumber)) } ?? 0
            let range = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
            try connection.sendHead(
                start == 0 ? 200 : 206, headers: ["ETag": "\"1\"", "Content-Range": range],
                contentLength: bytes.count - start)
            try connection.send(Data(bytes[start...].prefix(10_000)))
            if start < 90_000 { connection.waitForClientToClose() }
        }
        let counts = Monitor<Int64>(0)
        for round in 1...9 {
            let running = Task {
                await download(server) { report in counts.withLock { $0 = report.completedBytes } }
            }
            try await counts.value { $0 == round * 10_000 }
            running.cancel()
        }
        #expect(try await download(server).contents.get() == bytes)
        #expect(server.requests.count == 10)
    }

    @Test("A server that sends less than it is asked for is asked for the rest", arguments: [true, false])
    func shortRanges(retries: Bool) async throws {
        let server = try LoopbackServer { [bytes] request, connection in
            let start = request.header("Range").flatMap { Int($0.filter(\.isNumber)) }
            let piece = bytes[(start ?? 0)...].prefix(20_000)
            let range = "bytes \(piece.startIndex)-\(piece.endIndex - 1)/\(bytes.count)"
            let headers: KeyValuePairs = ["ETag": "\"1\"", start == nil ? "X-Range" : "Content-Range": range]
            try connection.sendHead(
                start == nil ? 200 : 206, headers: headers, contentLength: start == nil ? bytes.count : piece.count)
            try connection.send(Data(piece))
            if start == nil { connection.close() }
        }
        var retry = Retry(attempts: 2)
        retry.sleep = { _ in }
        let client = APIClient(baseURL: server.url(), session: session, middleware: retries ? [retry] : [])
        let result = await client.resumableDownloadResult(for: Endpoint(.get, ""), to: file)
        if retries {
            #expect(try result.contents.get() == bytes)
        } else {
            #expect(result.error?.urlError?.code == .networkConnectionLost)
            let next = await client.resumableDownloadResult(for: Endpoint(.get, ""), to: file)
            #expect(next.error?.urlError?.code == .networkConnectionLost)
            #expect(try Data(contentsOf: folder.file("album.flac.part")) == bytes.prefix(40_000))
        }
        let ranges = server.requests.map { $0.header("Range") }
        let expected = [nil, "bytes=20000-", "bytes=40000-", "bytes=60000-", "bytes=80000-"]
        #expect(ranges == Array(expected.prefix(retries ? 5 : 2)))
    }

    @Test("If the destination cannot be replaced in the end, what has arrived stays")
    func folderInTheEnd() async throws {
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)])
        let result = await download(files.server) { [file] _ in
            try? FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        }
        #expect(result.error?.underlyingError is CocoaError)
        #expect(try Data(contentsOf: folder.file("album.flac.part")) == bytes)
        try FileManager.default.removeItem(at: file)
        try await expectDownload(bytes, from: files)
        #expect(files.server.requests.map { $0.header("Range") } == [nil, "bytes=99999-"])
    }

    @Test("The status codes are those of the caller, and the rest of a file is always one")
    func statusCodes() async throws {
        let server = try LoopbackServer(.status(404, "none"))
        let request = URLRequest(url: server.url())
        let found = await session.resumableDownloadResult(for: request, to: file, accepting: [404])
        #expect(try found.contents.get() == Data("none".utf8))
        let files = try FileServer([.init(tag: "\"1\"", body: bytes)], breakingOffAfter: [40_000])
        for isWhole in [false, true] {
            let rest = await session.resumableDownloadResult(
                for: URLRequest(url: files.server.url()), to: file, accepting: [200])
            #expect((rest.error == nil) == isWhole)
        }
        let client = APIClient(baseURL: files.server.url(), session: session)
        let refused = await client.resumableDownloadResult(for: Endpoint(.get, "", accepting: [201]), to: file)
        #expect(refused.error?.statusCode == 200)
        #expect(files.server.requests.map { $0.header("Range") } == [nil, "bytes=40000-", nil])
    }
}
