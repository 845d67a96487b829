import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

@Suite(.inTurn)
struct DownloadPlacesTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    private func download(_ server: LoopbackServer, to file: URL) async -> Result<URL, NetworkError> {
        await session.resumableDownloadResult(for: URLRequest(url: server.url()), to: file)
    }

    /// A server that sends a file in two halves. The second waits for the gate.
    private static func halves(_ gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let isRest = request.header("Range") != nil
            let range = isRest ? ("Content-Range", "bytes 4-7/8") : ("X-Range", "none")
            try connection.sendHead(
                isRest ? 206 : 200, headers: ["ETag": "\"1\"", range.0: range.1], contentLength: isRest ? 4 : 8)
            if !isRest { try connection.send("half") }
            gate.wait()
            try connection.send("halF")
        }
    }

    /// Starts a download, and returns when its first half has arrived, or at its end.
    private func halfDownload(to file: URL, _ server: LoopbackServer) async throws -> Task<Data?, Never> {
        let arrived = Monitor(false)
        let running = Task {
            let result = await session.resumableDownloadResult(for: URLRequest(url: server.url()), to: file) { _ in
                arrived.withLock { $0 = true }
            }
            arrived.withLock { $0 = true }
            return try? result.contents.get()
        }
        try await arrived.value { $0 }
        return running
    }

    /// Names of a download to the first destination, or of another one in the same folder.
    static let sameNames = [
        ("real/a", "link/a"), ("real/a", "real/a.part"), ("real/a.part", "real/a"), ("link/a.part-version", "real/a"),
        ("real/a", "real/../link/a"),
    ]

    @Test("Of two downloads that use the same name, the second fails at once", arguments: sameNames)
    func sameName(_ first: String, _ second: String) async throws {
        let real = folder.file("real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: real)
        let gate = Gate()
        let server = try Self.halves(gate)
        let running = try await halfDownload(to: folder.file(first), server)
        let early = await download(server, to: folder.file(second))
        #expect((early.error?.underlyingError as? CocoaError)?.code == .fileLocking)
        gate.open()
        #expect(await running.value == Data("halfhalF".utf8))
        #expect(try await download(server, to: folder.file(second)).contents.get() == Data("halfhalF".utf8))
        #expect(server.requests.count == 2)
    }

    @Test("A destination that has the name of a lock is an error, and nothing is requested")
    func nameOfLock() async throws {
        let server = try LoopbackServer(.ok("done"))
        let file = folder.file("a.part-lock", Data("mine".utf8))
        let error = await download(server, to: file).error
        #expect((error?.underlyingError as? CocoaError)?.code == .fileWriteInvalidFileName)
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
        #expect(server.requests.isEmpty)
    }

    @Test("A lock file with other contents, longer than its own, is taken over")
    func longLock() async throws {
        let server = try LoopbackServer(.ok("done"))
        _ = folder.file("a.part-lock", Data(repeating: 7, count: 1_000))
        _ = try await download(server, to: folder.file("a")).get()
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test("Of two downloads in two processes, the second fails at once")
    func otherProcess() async throws {
        let gate = Gate()
        let server = try Self.halves(gate)
        let file = folder.file("a")
        let running = try await halfDownload(to: file, server)
        await #expect(processExitsWith: .success) {
            [address = server.url().absoluteString as String, path = file.path as String] in
            let url = try #require(URL(string: address))
            let result = await URLSession(configuration: .forTests).resumableDownloadResult(
                for: URLRequest(url: url), to: URL(fileURLWithPath: path))
            #expect((result.error?.underlyingError as? CocoaError)?.code == .fileLocking)
        }
        gate.open()
        #expect(await running.value == Data("halfhalF".utf8))
        #expect(server.requests.count == 1)
        #expect(folder.contents == ["a"])
    }

    @Test("A process that is killed leaves what has arrived, and no lock")
    func killed() async throws {
        let gate = Gate()
        let server = try Self.halves(gate)
        let file = folder.file("a")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [address = server.url().absoluteString as String, path = file.path as String] in
            let url = try #require(URL(string: address))
            _ = await URLSession(configuration: .forTests).resumableDownloadResult(
                for: URLRequest(url: url), to: URL(fileURLWithPath: path)
            ) { _ in kill(getpid(), SIGKILL) }
        }
        #expect(folder.contents.contains("a.part"))
        gate.open()
        #expect(try await download(server, to: file).contents.get() == Data("halfhalF".utf8))
        #expect(server.requests.last?.header("Range") == "bytes=4-")
        #expect(folder.contents == ["a"])
    }
    #endif

    @Test("One at a time has a lock, whose file comes and goes")
    func lock() async throws {
        let file = folder.file("lock")
        let (holders, turns) = (Monitor(0), Monitor(0))
        let threads = 4
        let ended = Monitor(0)
        for _ in 0..<threads {
            Thread.detachNewThread {
                defer { ended.withLock { $0 += 1 } }
                for _ in 0..<500 {
                    // The folder is there, so that the error is that of a lock which does not work.
                    guard let lock = try? DownloadLock(at: file) else { continue }
                    #expect(
                        holders.withLock {
                            $0 += 1; return $0
                        } == 1)
                    turns.withLock { $0 += 1 }
                    holders.withLock { $0 -= 1 }
                    lock.release()
                }
            }
        }
        try await ended.value { $0 == threads }
        #expect(turns.value > 0)
        #expect(folder.contents.isEmpty)
    }

    @Test(
        "A name that has no room for a suffix works, and its download goes on",
        arguments: [242, 243, 250, 255], ["a", "ü", "🎵"])
    func longName(length: Int, letter: String) async throws {
        var name = String(repeating: letter, count: length / letter.utf8.count)
        name += String(repeating: "b", count: length - name.utf8.count)
        let gate = Gate()
        let server = try Self.halves(gate)
        let running = try await halfDownload(to: folder.file(name), server)
        let other = String(name.dropLast()) + "c"
        running.cancel()
        #expect(await running.value == nil)
        #expect(folder.contents.count == 2)
        gate.open()
        #expect(try await download(server, to: folder.file(other)).contents.get() == Data("halfhalF".utf8))
        #expect(try await download(server, to: folder.file(name)).contents.get() == Data("halfhalF".utf8))
        #expect(server.requests.map { $0.header("Range") } == [nil, nil, "bytes=4-"])
        #expect(Set(folder.contents) == [name, other])
    }

    @Test(
        "What has the name of a part and is no file stays, and nothing is requested",
        arguments: ["a.part", "a.part-version"], ["folder", "pipe"])
    func notOurs(_ name: String, _ kind: String) async throws {
        let server = try LoopbackServer(.ok("done", headers: ["ETag": "\"1\""]))
        let mine = kind == "pipe" ? folder.pipe(name) : folder.file(name).appendingPathComponent("mine")
        if kind == "folder" {
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
            try Data("mine".utf8).write(to: mine)
        }
        let error = try #require(await download(server, to: folder.file("a")).error)
        #expect(((error.underlyingError as? CocoaError)?.userInfo[NSURLErrorKey] as? URL)?.lastPathComponent == name)
        #expect(FileManager.default.fileExists(atPath: mine.path))
        #expect(folder.contents == [name])
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A part of a response that is not asked for is an error, and what has arrived before stays",
        arguments: ["ETag", "X-Tag"], [("0-2", ""), ("0-2", "part"), ("7-9", "part"), ("0-2", "part of other")])
    func unaskedRange(_ field: String, _ row: (range: String, left: String)) async throws {
        let (range, left) = row
        let server = try LoopbackServer { _, connection in
            try connection.respond(
                206, headers: [field: "\"1\"", "Content-Range": "bytes \(range)/10"], body: Data("abc".utf8))
        }
        if !left.isEmpty { _ = folder.file("a.part", Data("abcd".utf8)) }
        if left == "part of other" {
            _ = folder.file("a.part-version", Data(#"{"address": 7, "tag": "\"1\"", "size": 10}"#.utf8))
        }
        let contents = folder.contents
        #expect(await download(server, to: folder.file("a")).error?.urlError?.code == .badServerResponse)
        #expect(folder.contents == contents)
        #expect(server.requests.count == 1)
    }

    @Test(
        "Only this user may open what has arrived, and the whole file has the mode of the one before",
        arguments: [true, false])
    func mode(replaces: Bool) async throws {
        let file = folder.file("a")
        if replaces {
            _ = folder.file("a", Data("old".utf8))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        }
        let gate = Gate()
        let running = try await halfDownload(to: file, Self.halves(gate))
        for name in ["a.part", "a.part-version", "a.part-lock"] { #expect(try mode(of: folder.file(name)) == 0o600) }
        gate.open()
        #expect(await running.value == Data("halfhalF".utf8))
        #expect(try mode(of: file) == (replaces ? 0o640 : mode(of: folder.file("new", Data()))))
    }

    private func mode(of file: URL) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test(
        "The response has the headers that the last part came with, by a session and by a client",
        arguments: [true, false])
    func response(byClient: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            let isRest = request.header("Range") != nil
            let field = isRest ? ("Content-Range", "bytes 4-7/8") : ("X-Half", "first")
            try connection.sendHead(
                isRest ? 206 : 200, headers: ["ETag": "\"1\"", field.0: field.1], contentLength: isRest ? 4 : 8)
            try connection.send(isRest ? "halF" : "half")
            connection.close()
        }
        var retry = Retry()
        retry.sleep = { _ in }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry])
        let file = folder.file("a")
        if !byClient { #expect(await download(server, to: file).error?.urlError?.code == .networkConnectionLost) }
        let reports = Monitor<[TransferProgress]>([])
        let report: ProgressHandler = { progress in reports.withLock { $0.append(progress) } }
        let response =
            byClient
            ? try await client.resumableDownloadResponse(for: Endpoint(.get, ""), to: file, progress: report).get()
            : try await session.resumableDownloadResponse(
                for: URLRequest(url: server.url()), to: file, accepting: [200], progress: report
            ).get()
        #expect(response.body == file)
        #expect(response.statusCode == 206)
        #expect(response.header("Content-Range") == "bytes 4-7/8")
        #expect(try Data(contentsOf: file) == Data("halfhalF".utf8))
        #expect(reports.value.last == TransferProgress(completedBytes: 8, totalBytes: 8))
        #expect(server.requests.count == 2)
    }

    @Test("The response to a download that is whole at once has its headers, after a retry and a refresh of the token")
    func wholeResponse() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(401), .ok("done", headers: ["ETag": "\"1\""]))
        var retry = Retry()
        retry.sleep = { _ in }
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry, token])
        let response = try await client.downloadResponse(for: Endpoint(.get, ""), to: folder.file("a")).get()
        #expect(try Data(contentsOf: response.body) == Data("done".utf8))
        #expect(response.header("ETag") == "\"1\"")
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.downloadResponse(for: Endpoint(.get, ""), to: folder.file("b")).error
        }
        #expect(await cancelled.value?.isCancelled == true)
        #expect(folder.contents == ["a"])
    }
}
