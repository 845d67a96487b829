import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Files that appear whole or not at all.
@Suite(.inTurn)
struct DownloadTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    private func download(_ server: LoopbackServer, to destination: URL, progress: Bool) async -> Result<
        URL, NetworkError
    > {
        await session.downloadResult(from: server.url(), to: destination, progress: progress ? ignored : nil)
    }

    @Test("A download creates the folders it needs", arguments: [true, false])
    func missingFolders(progress: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        let destination = folder.url.appendingPathComponent("a/b/file")
        #expect(try await download(server, to: destination, progress: progress).get() == destination)
        #expect(try Data(contentsOf: destination) == Data("new".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/a/b") == ["file"])
    }

    @Test("A download replaces what was there", arguments: [true, false])
    func replacement(progress: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        let destination = folder.file("file", Data("old and longer".utf8))
        _ = try await download(server, to: destination, progress: progress).get()
        #expect(try Data(contentsOf: destination) == Data("new".utf8))
        #expect(folder.contents == ["file"])
    }

    @Test("A download is put in place in one step: whoever looks finds the old file or the new one")
    func oneStep() async throws {
        let old = Data(repeating: 1, count: 1_000_000)
        let new = Data(repeating: 2, count: 1_000_000)
        let server = try LoopbackServer(.status(200, new))
        let destination = folder.file("file", old)
        let looks = Monitor(Looks())
        defer { looks.withLock { $0.isOver = true } }
        Thread.detachNewThread {
            while !looks.value.isOver {
                let found = try? Data(contentsOf: destination)
                looks.withLock { $0.note(found, old: old, new: new) }
            }
        }
        try await looks.value { $0.old > 0 }
        for _ in 0..<50 { _ = try await download(server, to: destination, progress: false).get() }
        try await looks.value { $0.new > 0 }
        #expect(looks.value.others == [])
    }

    /// What was found where a file is replaced.
    private struct Looks {
        var isOver = false
        var old = 0
        var new = 0
        /// The sizes of what was neither, or nil for no file.
        var others: [Int?] = []

        mutating func note(_ found: Data?, old: Data, new: Data) {
            if found == old {
                self.old += 1
            } else if found == new {
                self.new += 1
            } else {
                others.append(found?.count)
            }
        }
    }

    @Test("A symbolic link to a file is replaced, and the file stays", arguments: [true, false])
    func symbolicLink(progress: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        let file = folder.file("file", Data("old".utf8))
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try await download(server, to: link, progress: progress).get() == link)
        #expect(try Data(contentsOf: link) == Data("new".utf8))
        #expect(try Data(contentsOf: file) == Data("old".utf8))
    }

    @Test("A symbolic link to nothing is replaced", arguments: [true, false])
    func danglingLink(progress: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("nothing"))
        #expect(try await download(server, to: link, progress: progress).get() == link)
        #expect(try Data(contentsOf: link) == Data("new".utf8))
        #expect(folder.contents == ["link"])
    }

    @Test(
        "A device, a pipe and a socket are no destination, also behind a link, and nothing is requested",
        arguments: DownloadToFile.all)
    func specialFiles(_ form: DownloadToFile) async throws {
        let server = try LoopbackServer(.ok("new"))
        let special = folder.specialFiles
        for file in special {
            let link = folder.file("link to \(file.lastPathComponent)")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        }
        let before = folder.contents
        for name in before {
            let destination = folder.file(name)
            let error = try #require(await form.send(session, server.url(), destination).error)
            guard case .transportError(let cause as CocoaError) = error else { throw error }
            #expect(cause.url == destination)
            #expect(error.description.hasSuffix(", \(name): Operation not permitted)"))
        }
        #expect(server.requests.isEmpty)
        #expect(folder.contents == before)
        for file in special { #expect(try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == false) }
    }

    @Test("A pipe that comes while a download runs stays", arguments: [true, false])
    func latePipe(progress: Bool) async throws {
        let pipe = folder.file("pipe")
        let server = try LoopbackServer { _, connection in
            guard mkfifo(pipe.path, 0o600) == 0 else { return connection.close() }
            try connection.respond(body: "new")
        }
        let error = await download(server, to: pipe, progress: progress).error
        #expect(error?.description.contains("Operation not permitted") == true)
        #expect(try pipe.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == false)
        #expect(folder.contents == ["pipe"])
    }

    @Test("A download that fails leaves what was there", arguments: [true, false])
    func failure(progress: Bool) async throws {
        let destination = folder.file("file", Data("old".utf8))
        let faults: [LoopbackServer.Response] = [.status(500, "no"), .truncated("ne", of: 3), .reset, .silent]
        for (index, fault) in faults.enumerated() {
            let server = try LoopbackServer(fault)
            let running = Task { await download(server, to: destination, progress: progress) }
            try await server.requests(atLeast: 1)
            if index == faults.count - 1 { running.cancel() }
            #expect(await running.value.error != nil)
            #expect(try Data(contentsOf: destination) == Data("old".utf8))
            #expect(folder.contents == ["file"])
        }
    }

    @Test("A download of 10 MB that is cut leaves no file", arguments: [true, false])
    func truncated(progress: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 10_000_000)
            try connection.send(zeros: 9_999_999)
            connection.close()
        }
        let result = await download(server, to: folder.file("new"), progress: progress)
        #expect(result.error?.urlError != nil)
        #expect(folder.contents == [])
    }

    @Test("The error names the destination and the reason of the system", arguments: [true, false])
    func reason(progress: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        let file = folder.file("file", Data("old".utf8))
        let longName = String(repeating: "x", count: 300)
        let linkToNothing = folder.file("link")
        try FileManager.default.createSymbolicLink(at: linkToNothing, withDestinationURL: folder.file("nothing"))
        let rows = [
            (file.appendingPathComponent("below"), ["Not a directory"]), (folder.url, ["Is a directory"]),
            (folder.url.appendingPathComponent(longName), ["File name too long"]),
            (folder.url.appendingPathComponent(longName + "/below"), ["File name too long"]),
            (linkToNothing.appendingPathComponent("below"), ["Not a directory"]),
            (linkToNothing.appendingPathComponent("below/below"), ["Not a directory"]),
        ]
        try await expectReasons(rows, of: server, progress: progress)
        #expect(server.requests.isEmpty)
        #if os(Linux)
        // The superuser may write there, but the system lets nobody.
        let missing = ["No such file or directory", "Permission denied"]
        let systemRows = [
            (URL(fileURLWithPath: "/proc/cover.png"), missing),
            (URL(fileURLWithPath: "/proc/covers/cover.png"), missing),
            (URL(fileURLWithPath: "/sys/cover.png"), ["Permission denied", "Read-only file system"]),
        ]
        try await expectReasons(systemRows, of: server, progress: progress)
        #endif
    }

    private func expectReasons(_ rows: [(URL, [String])], of server: LoopbackServer, progress: Bool) async throws {
        for (destination, reasons) in rows {
            let error = try #require(await download(server, to: destination, progress: progress).error)
            guard case .transportError(let cause as CocoaError) = error else { throw error }
            #expect(cause.url == destination)
            let ends = reasons.map { ", \(destination.lastPathComponent): \($0))" }
            #expect(ends.contains { error.description.hasSuffix($0) }, "\(error)")
        }
    }

    @Test("A destination that cannot be written is an error that says so, and what was there is intact")
    func unwritableDestination() async throws {
        let server = try LoopbackServer(.ok("new"))
        let file = folder.file("file", Data("old".utf8))
        let folderInTheWay = folder.url.appendingPathComponent("folder")
        try FileManager.default.createDirectory(at: folderInTheWay, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folderInTheWay.path + "/kept", contents: nil)
        let web = try #require(URL(string: "http://127.0.0.1/file"))
        let unwritable = [
            (file.appendingPathComponent("below"), ", below: Not a directory)"),
            (folderInTheWay, ", folder: Is a directory)"),
            (web, "transportError(CocoaError 518)"),
        ]
        for (destination, end) in unwritable {
            for progress in [true, false] {
                let error = await download(server, to: destination, progress: progress).error
                #expect(error?.description.hasSuffix(end) == true)
            }
        }
        #expect(server.requests.isEmpty)
        #expect(folder.contents == ["file", "folder"])
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(FileManager.default.fileExists(atPath: folderInTheWay.path + "/kept"))
    }

    @Test(
        "A destination without an absolute path is an error, and one below a folder that is missing is found out",
        arguments: [
            ("file:x", "x"), ("file:a/b.json", "b.json"), ("file:x/../y", "y"), ("file:", ""),
            ("file:///proc/none/..", nil), ("file:///proc/none/../none/x", nil),
        ])
    func relativeDestination(destination: String, invalid name: String?) async throws {
        let server = try LoopbackServer(.ok("new"))
        let destination = try #require(URL(string: destination))
        let error = try #require(await download(server, to: destination, progress: false).error)
        guard case .transportError(is CocoaError) = error else { throw error }
        guard let name else { return }
        #expect(error.description.hasSuffix(", \(name): Invalid argument)"))
        #expect(server.requests.isEmpty)
    }

    @Test("A download by downloadResponse gives the file and the response", arguments: [true, false])
    func downloadResponse(byURL: Bool) async throws {
        let server = try LoopbackServer(["/": .ok("body", headers: ["ETag": "v1"]), "/404": .status(404, "none")])
        let file = folder.file("new")
        let result =
            byURL
            ? await session.downloadResponse(from: server.url(), to: file, progress: ignored)
            : await session.downloadResponse(for: URLRequest(url: server.url()), to: file)
        let response = try result.get()
        #expect(response.body == file)
        #expect(response.statusCode == 200)
        #expect(response.header("ETag") == "v1")
        #expect(try Data(contentsOf: file) == Data("body".utf8))
        let missing = await session.downloadResponse(from: server.url("/404"), to: file).error
        #expect(missing?.statusCode == 404)
        #expect(missing?.response?.body == Data("none".utf8))
        #expect(try Data(contentsOf: file) == Data("body".utf8))
    }

    @Test("The temporary file lives as long as the handler runs", arguments: [true, false])
    func temporaryFile(byURL: Bool) async throws {
        let server = try LoopbackServer(.ok("body"))
        let file = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<URL, any Error>) in
            let handler: ResultHandler<URL> = { result in
                continuation.resume(
                    with: result.map { file in
                        #expect((try? Data(contentsOf: file)) == Data("body".utf8))
                        return file
                    })
            }
            let task =
                byURL
                ? session.downloadTask(with: server.url(), resultHandler: handler)
                : session.downloadTask(with: URLRequest(url: server.url()), resultHandler: handler)
            task.resume()
        }
        await session.idle()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A handler may move the temporary file")
    func movedFile() async throws {
        let server = try LoopbackServer(.ok("body"))
        let destination = folder.file("moved")
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            session.downloadTask(with: server.url()) { result in
                continuation.resume(
                    with: Result { try FileManager.default.moveItem(at: result.get(), to: destination) })
            }.resume()
        }
        await session.idle()
        #expect(try Data(contentsOf: destination) == Data("body".utf8))
    }

    @Test("The body of a refused download is cut at a mebibyte", arguments: [true, false])
    func longErrorBody(progress: Bool) async throws {
        let server = try LoopbackServer(.status(500, Data(count: (1 << 20) + 1)))
        let response = await download(server, to: folder.file(), progress: progress).error?.response
        #expect(response?.body == Data(count: 1 << 20))
        #expect(folder.contents == [])
    }

    @Test("Bytes that a decoder keeps outlive the file")
    func mappedBytes() async throws {
        let server = try LoopbackServer(.zeros(5_000_000))
        let bytes = try await session.downloadResult(from: server.url(), decoder: .data).get()
        await session.idle()
        #expect(bytes == Data(count: 5_000_000))
    }

    @Test("An empty download is an empty file and empty bytes")
    func emptyDownload() async throws {
        let server = try LoopbackServer(.ok())
        let destination = folder.file()
        _ = try await session.downloadResult(from: server.url(), to: destination).get()
        #expect(try Data(contentsOf: destination) == Data())
        #expect(try await session.downloadResult(from: server.url(), decoder: .data).get() == Data())
    }
}

extension URLSession {
    /// Waits until the handlers that are due have returned.
    func idle() async {
        await withCheckedContinuation { continuation in
            delegateQueue.addOperation { continuation.resume() }
        }
    }
}

/// One way to download to a file.
struct DownloadToFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let send: @Sendable (URLSession, URL, URL) async -> Result<URL, NetworkError>

    static let all = [
        DownloadToFile("downloadTask(with:to:resultHandler:)") { session, url, file in
            await withCheckedContinuation { continuation in
                session.downloadTask(with: url, to: file) { continuation.resume(returning: $0) }.resume()
            }
        },
        DownloadToFile("downloadResult(from:to:)") { await $0.downloadResult(from: $1, to: $2) },
        DownloadToFile("downloadResult(from:to:progress:)") {
            await $0.downloadResult(from: $1, to: $2, progress: ignored)
        },
        DownloadToFile("downloadResponse(from:to:)") { await $0.downloadResponse(from: $1, to: $2).map(\.body) },
    ]

    private init(
        _ testDescription: String, send: @escaping @Sendable (URLSession, URL, URL) async -> Result<URL, NetworkError>
    ) {
        self.testDescription = testDescription
        self.send = send
    }
}

extension TemporaryFolder {
    /// A pipe, and a socket and a device where the system lets this user make them.
    fileprivate var specialFiles: [URL] {
        let pipe = file("pipe")
        guard mkfifo(pipe.path, 0o600) == 0 else { preconditionFailure("A test needs the pipe \(pipe.path)") }
        let socket = file("socket")
        let device = file("device")
        var made = [pipe]
        if mknod(socket.path, S_IFSOCK | 0o600, 0) == 0 { made.append(socket) }
        // What /dev/null is on Linux, in a place where nobody misses it.
        if mknod(device.path, S_IFCHR | 0o600, 0x103) == 0 { made.append(device) }
        return made
    }
}
