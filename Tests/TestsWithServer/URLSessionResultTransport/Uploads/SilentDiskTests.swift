#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// Files on a disk that answers when the test says so.
@Suite(.inTurn)
struct SilentDiskTests {
    private static let content = Data.blocks(4, ofSize: FileSource.sizeOfPiece)

    /// A transfer that is sent as any other, except that its load, or its file, is the test's.
    @discardableResult
    private func start(
        _ kind: TaskKind, to url: URL, in session: URLSession = URLSession(configuration: .forTests),
        _ dependencies: TransferDependencies, _ handler: @escaping @Sendable (TaskOutcome) -> Void
    ) -> URLSessionTask {
        var request = URLRequest(url: url, method: kind.isDownload ? .get : .put)
        // The other requests may take minutes on a busy machine.
        request.timeoutInterval = 600
        let transfer = Transfer(
            session: session, request: request, kind: kind, dependencies: dependencies, handler: handler)
        let task = kind.isDownload ? CallersDownloadTask(transfer) : CallersUploadTask(transfer) as URLSessionTask
        task.resume()
        return task
    }

    @Test(
        "However long a disk reads a piece of an upload, the requests of other sessions go on",
        arguments: [0, FileSource.sizeOfPiece], LoopbackServer.Transport.trusted)
    func upload(silentFrom position: Int, transport: LoopbackServer.Transport) async throws {
        let server = try LoopbackServer(.ok("other"), over: transport)
        let disk = Gate()
        // Otherwise a test that fails would stop all others.
        defer { disk.open() }
        var dependencies = TransferDependencies()
        dependencies.makeLoad = { _, request, transaction in
            let source = FileSource(ofLength: Self.content.count) { range in
                if range.lowerBound >= position { disk.wait() }
                return Self.content[range]
            }
            return try CurlLoad(
                #require(Curl.loaded), EventLoop.running(), of: request, sending: source, for: transaction)
        }
        let outcome = Monitor<TaskOutcome?>(nil)
        start(.upload(.data(Self.content)), to: server.url("/upload"), dependencies) { end in
            outcome.withLock { $0 = end }
        }
        let other = URLSession(configuration: .forTests)
        for _ in 1...200 { _ = try await other.dataResult(from: server.url("/other")).get() }
        #expect(outcome.value == nil)
        disk.open()
        #expect(try await outcome.value { $0 != nil }?.error == nil)
        #expect(server.requests.first { $0.path == "/upload" }?.body == Self.content)
    }

    @Test("However long a disk writes a download, the requests of other sessions go on, and its server waits")
    func download() async throws {
        let body = Data.blocks(8, ofSize: 1 << 20)
        let server = try LoopbackServer(["/file": .ok(body), "/other": .ok("other")])
        let disk = Gate()
        defer { disk.open() }
        let transactions = Monitor<[Transaction]>([])
        var dependencies = TransferDependencies()
        dependencies.makeLoad = { loader, request, transaction in
            transactions.withLock { $0.append(transaction) }
            return try loader.makeLoad(of: request, for: transaction)
        }
        dependencies.makeFile = {
            disk.wait()
            return try DownloadedFile()
        }
        let outcome = Monitor<Data?>(nil)
        start(.download, to: server.url("/file"), dependencies) { end in
            outcome.withLock { $0 = end.file.flatMap { try? Data(contentsOf: $0) } ?? Data() }
        }
        try await server.requests(atLeast: 1)
        let other = URLSession(configuration: .forTests)
        for _ in 1...200 { _ = try await other.dataResult(from: server.url("/other")).get() }
        #expect(outcome.value == nil)
        disk.open()
        #expect(try await outcome.value { $0 != nil } == body)
        transactions.withLock { $0 = [] }
    }

    enum Step: CaseIterable { case making, writing }
    enum End: CaseIterable { case cancelled, invalidated }

    @Test(
        "However long a disk takes for a download, its task can be looked at, and ends at once when it is stopped",
        arguments: Step.allCases, End.allCases)
    func stop(_ step: Step, by end: End) async throws {
        let server = try LoopbackServer(["/file": .ok(Data.blocks(8, ofSize: 1 << 20)), "/other": .ok("other")])
        let disk = Gate()
        let isSilent = Monitor(false)
        let isWritten = Monitor(false)
        // What is written to it stays there, until the pipe is full.
        let pipe = Pipe()
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: url)
        defer {
            disk.open()
            // The thread that writes goes on.
            if step == .writing { _ = pipe.fileHandleForReading.availableData }
        }
        var dependencies = TransferDependencies()
        dependencies.makeFile = {
            isSilent.withLock { $0 = true }
            if step == .making { disk.wait() }
            isWritten.withLock { $0 = true }
            return DownloadedFile(at: url, pipe.fileHandleForWriting)
        }
        let session = URLSession(configuration: .forTests)
        let outcome = Monitor<TaskOutcome?>(nil)
        let task = start(.download, to: server.url("/file"), in: session, dependencies) { end in
            outcome.withLock { $0 = end }
        }
        try await (step == .making ? isSilent : isWritten).value { $0 }
        // On a thread, because it would wait for the disk otherwise.
        let isStopped = Monitor(false)
        Thread.detachNewThread {
            // Then the next piece finds the pipe full: it holds 64 kB.
            while step == .writing, task.countOfBytesReceived < 3 << 14 { sched_yield() }
            switch end {
            case .cancelled: task.cancel()
            case .invalidated: session.invalidateAndCancel()
            }
            isStopped.withLock { $0 = true }
        }
        try await isStopped.value { $0 }
        #expect((try await outcome.value { $0 != nil }?.error as? URLError)?.code == .cancelled)
        // FoundationNetworking makes tasks on one queue for all sessions.
        let other = URLSession(configuration: .forTests)
        #expect(try await other.dataResult(from: server.url("/other")).get() == Data("other".utf8))
        disk.open()
        if step == .making { try await isWritten.value { $0 } }
        try await removal(of: url)
    }

    /// Waits until a file is gone.
    private func removal(of url: URL) async throws {
        while FileManager.default.fileExists(atPath: url.path) { await Task.yield() }
    }
}

#endif
