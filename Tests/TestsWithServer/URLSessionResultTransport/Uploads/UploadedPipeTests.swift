#if os(Linux)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// Uploads of pipes that are filled late.
@Suite(.inTurn)
struct UploadedPipeTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    /// Swift runs as many tasks at once as there are cores.
    @Test("However many pipes are not filled yet, all Swift tasks run, and then all pipes arrive", arguments: [1, 16])
    func unfilled(count: Int) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let pipes = (0..<count).map { folder.pipe("\($0)") }
        let begun = Monitor(0)
        try await withThrowingTaskGroup { group in
            for pipe in pipes {
                group.addTask { [session] in
                    begun.withLock { $0 += 1 }
                    let result = await session.uploadResult(for: request, fromFile: pipe)
                    #expect((try? result.get()) == Data(pipe.lastPathComponent.utf8))
                }
            }
            try await begun.value { $0 == count }
            #expect(server.requests.isEmpty)
            for pipe in pipes { pipe.give(Data(pipe.lastPathComponent.utf8)) }
            try await group.waitForAll()
        }
        #expect(server.requests.count == count)
    }

    @Test("What leads to a pipe is read as the pipe: a link, the path of a descriptor", arguments: [true, false])
    func behindLink(isSymbolic: Bool) async throws {
        let server = try LoopbackServer(.echo)
        let unnamedPipe = Pipe()
        var link = URL(fileURLWithPath: "/dev/fd/\(unnamedPipe.fileHandleForReading.fileDescriptor)")
        if isSymbolic {
            link = folder.file("link")
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: folder.pipe(giving: Data("given".utf8)))
        } else {
            try unnamedPipe.fileHandleForWriting.write(contentsOf: Data("given".utf8))
            try unnamedPipe.fileHandleForWriting.close()
        }
        let result = await session.uploadResult(for: URLRequest(url: server.url(), method: .put), fromFile: link)
        #expect(try result.get() == Data("given".utf8))
    }

    @Test("A file of the system that has no length is read to its end")
    func withoutLength() async throws {
        let server = try LoopbackServer(.echo)
        let file = URL(fileURLWithPath: "/proc/self/status")
        let result = await session.uploadResult(for: URLRequest(url: server.url(), method: .put), fromFile: file)
        #expect(try result.get().starts(with: Data("Name:".utf8)))
    }

    /// In a process of its own, because a signal says that nobody reads a pipe any more.
    @Test("A pipe that never ends is read no further when its upload is cancelled")
    func endless() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            let folder = TemporaryFolder()
            let pipe = folder.pipe()
            let writtenCount = Monitor(0)
            let isRefused = Monitor<Bool?>(nil)
            Thread.detachNewThread {
                let end = FileHandle(forWritingAtPath: pipe.path)
                let zeros = Data(count: 64 * 1024)
                do {
                    for _ in 1...4096 {
                        try end?.write(contentsOf: zeros)
                        writtenCount.withLock { $0 += zeros.count }
                    }
                    isRefused.withLock { $0 = false }
                } catch {
                    isRefused.withLock { $0 = true }
                }
            }
            let session = URLSession(configuration: .forTests)
            let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")), method: .put)
            let upload = Task { await session.uploadResult(for: request, fromFile: pipe) }
            try await writtenCount.value { $0 > 1_000_000 }
            upload.cancel()
            #expect(await upload.value.error?.isCancelled == true)
            #expect(try await isRefused.value { $0 != nil } == true)
            #expect(folder.contents == ["pipe"])
        }
    }

    @Test("A pipe that is not filled is cancelled at once, and never sent", arguments: [true, false])
    func cancelled(isResumed: Bool) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let error = await withCheckedContinuation { continuation in
            let task = session.uploadTask(with: request, fromFile: folder.pipe()) { (result: DataResult) in
                continuation.resume(returning: result.error)
            }
            if isResumed { task.resume() }
            task.cancel()
        }
        #expect(error?.isCancelled == true)
        _ = try await session.dataResult(from: server.url("/next")).get()
        #expect(server.requests.map(\.path) == ["/next"])
    }

    /// What ends an upload while it waits for the writer of its pipe.
    enum EarlyEnd: CaseIterable, Sendable {
        case cancellation, sessionsEnd, timeout, resourceTimeout

        var code: URLError.Code {
            switch self {
            case .cancellation, .sessionsEnd: .cancelled
            case .timeout, .resourceTimeout: .timedOut
            }
        }

        func session() -> URLSession {
            let configuration = URLSessionConfiguration.forTests
            if self == .timeout { configuration.timeoutIntervalForRequest = 5 }
            if self == .resourceTimeout { configuration.timeoutIntervalForResource = 5 }
            return URLSession(configuration: configuration)
        }
    }

    enum UploadForm: CaseIterable, Sendable {
        case handler, asynchronous, withProgress, stream

        func send(_ pipe: URL, by request: URLRequest, in session: URLSession) async -> NetworkError? {
            switch self {
            case .handler:
                let started = Monitor<URLSessionTask?>(nil)
                return await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        let task = session.uploadTask(with: request, fromFile: pipe) { (result: DataResult) in
                            continuation.resume(returning: result.error)
                        }
                        started.withLock { $0 = task }
                        if Task.isCancelled { task.cancel() } else { task.resume() }
                    }
                } onCancel: {
                    started.value?.cancel()
                }
            case .asynchronous:
                return await session.uploadResult(for: request, fromFile: pipe).error
            case .withProgress:
                return await session.uploadResult(for: request, fromFile: pipe, progress: { _ in }).error
            case .stream:
                return await session.bytesResult(
                    for: request, uploading: .file(pipe), accepting: 200..<300, progress: nil
                ).error
            }
        }
    }

    @Test(
        "An upload that ends before its pipe is filled leaves the pipe to the next one, and ends with the time",
        arguments: EarlyEnd.allCases, UploadForm.allCases)
    func leftToTheNext(_ end: EarlyEnd, form: UploadForm) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        // Without a writer, nothing says when the session has the task that it is to cancel.
        for hasWriter in end == .sessionsEnd ? [true] : [false, true] {
            let pipe = folder.pipe("\(hasWriter)")
            let early = end.session()
            let upload = Task { await form.send(pipe, by: request, in: early) }
            // This waits until somebody reads.
            let writer = hasWriter ? try await Self.openForWriting(pipe) : nil
            if end == .cancellation { upload.cancel() }
            if end == .sessionsEnd { early.invalidateAndCancel() }
            let error = await upload.value
            #expect(error?.urlError?.code == end.code)
            #expect(!pipe.hasReader)
            try writer?.close()
            pipe.give(body)
            #expect(try await session.uploadResult(for: request, fromFile: pipe).get() == body)
        }
    }

    private static func openForWriting(_ pipe: URL) async throws -> FileHandle {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try FileHandle(forWritingTo: pipe) }) }
        }
    }

    @Test("A pipe is read once, and sent again after a redirect and after a challenge", arguments: [307, 401])
    func sentAgain(status: Int) async throws {
        let pipe = folder.pipe(giving: Data("given".utf8))
        let server = try LoopbackServer { request, connection in
            if request.path == "/target" || request.header("Authorization") != nil {
                return try connection.respond(with: .echo, to: request)
            }
            // For a second reader, if there is one.
            pipe.give(Data("again".utf8))
            let response: LoopbackServer.Response =
                status == 307 ? .redirect(to: "/target", status: 307) : .challenge(#"Basic realm="x""#)
            try connection.respond(with: response, to: request)
        }
        let credential = URLCredential(user: "joni", password: "blue", persistence: .none)
        let session = SessionDelegate(challenge: (.useCredential, credential)).session()
        let result = await session.uploadResult(for: URLRequest(url: server.url(), method: .put), fromFile: pipe)
        try #require(try result.get() == Data("given".utf8))
        #expect(server.requests.map(\.text) == ["given", "given"])
        #expect(try FileHandle(forReadingFrom: pipe).readToEnd() == Data("again".utf8))
    }
}

extension URL {
    /// Whether somebody has opened this pipe for reading.
    fileprivate var hasReader: Bool {
        let descriptor = open(path, O_WRONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}

#endif
