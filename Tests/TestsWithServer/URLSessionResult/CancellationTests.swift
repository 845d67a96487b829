import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Whenever a request is cancelled, its caller is told once, and the server is left alone.
@Suite(.inTurn)
struct CancellationTests {
    private let end = SessionEnd()
    private let session: URLSession
    private let results = Monitor<[DataResult]>([])

    init() {
        session = URLSession(configuration: .forTests, delegate: end, delegateQueue: nil)
    }

    // MARK: By callback

    @Test("A task cancelled before it is resumed calls its handler once and sends nothing")
    func beforeResume() async throws {
        let server = try LoopbackServer(.ok())
        let task = makeTask(server.url())
        task.cancel()
        task.resume()
        try await end.follows(session)
        #expect(results.value.map(\.isCancelled) == [true])
        #expect(server.requests.isEmpty)
    }

    @Test("A task that can only fail calls its handler once when it is cancelled before it is resumed")
    func beforeFailing() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")), method: .put)
        let noFile = URL(fileURLWithPath: "/no/file")
        let failed = Monitor<[String]>([])
        @Sendable func note<T>(_ name: String, _ result: Result<T, NetworkError>) {
            if result.error != nil { failed.withLock { $0.append(name) } }
        }
        var tasks: [URLSessionTask] = [session.uploadTask(with: request, fromFile: noFile) { note("file", $0) }]
        var names = ["file"]
        #if canImport(FoundationNetworking)
        // Elsewhere, URLSession decides what a task of bad resume data does.
        tasks.append(session.uploadTask(withResumeData: Data()) { note("upload", $0) })
        tasks.append(session.downloadTask(withResumeData: Data()) { note("download", $0) })
        names += ["upload", "download"]
        #endif
        for task in tasks {
            task.cancel()
            task.resume()
        }
        try await end.follows(session)
        #expect(failed.value.sorted() == names.sorted())
    }

    @Test("A task that can only fail is one of its session")
    func failingTask() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")), method: .put)
        let calls = Monitor<[String]>([])
        let other = session.uploadTask(with: request, from: Data()) { (_: DataResult) in }
        let tasks = [
            session.uploadTask(with: request, fromFile: URL(fileURLWithPath: "/no/file")) { (_: DataResult) in
                calls.withLock { $0.append("upload") }
            },
            session.downloadTask(with: request, to: URL(fileURLWithPath: "/")) { _ in
                calls.withLock { $0.append("download") }
            },
        ]
        #expect(Set((tasks + [other]).map(\.taskIdentifier)).count == 3)
        for task in tasks + [other] { task.resume() }
        // The session is over after its last task, and no sooner.
        try await end.follows(session)
        #expect(calls.value.sorted() == ["download", "upload"])
    }

    @Test(
        "A task cancelled while the server answers calls its handler once and hangs up",
        arguments: ["", "HTTP/1.1 200 OK\r\nX-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func during(answer: String) async throws {
        let server = try LoopbackServer(.stalled(after: answer))
        let task = makeTask(server.url())
        task.resume()
        try await server.requests(atLeast: 1)
        task.cancel()
        try await server.connectionsClosed()
        try await end.follows(session)
        #expect(results.value.map(\.isCancelled) == [true])
    }

    @Test("A task cancelled inside a body without an end hangs up")
    func endlessBody() async throws {
        let sent = Monitor(0)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Transfer-Encoding": "chunked"], contentLength: nil)
            while true {
                try connection.send("1000\r\n\(String(repeating: "x", count: 0x1000))\r\n")
                sent.withLock { $0 += 0x1000 }
            }
        }
        let task = makeTask(server.url())
        task.resume()
        try await sent.value { $0 > 1 << 20 }
        task.cancel()
        try await server.connectionsClosed()
        try await end.follows(session)
        #expect(results.value.map(\.isCancelled) == [true])
    }

    @Test("An upload cancelled half way calls its handler once and hangs up")
    func duringUpload() async throws {
        let isHalfWay = Gate()
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            _ = try connection.readPartOfBody(1 << 20)
            isHalfWay.open()
            connection.waitForClientToClose()
        }
        let request = URLRequest(url: server.url(), method: .put)
        let task = session.uploadTask(with: request, from: Data(count: 64 << 20), resultHandler: append)
        task.resume()
        try await isHalfWay.opened()
        task.cancel()
        try await server.connectionsClosed()
        try await end.follows(session)
        #expect(results.value.map(\.isCancelled) == [true])
    }

    @Test("A task cancelled between a redirect and its target calls its handler once")
    func duringRedirect() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .silent))
        let task = makeTask(server.url())
        task.resume()
        try await server.requests(atLeast: 2)
        task.cancel()
        try await end.follows(session)
        #expect(results.value.map(\.isCancelled) == [true])
    }

    @Test("Cancelling a task that is over does nothing")
    func afterwards() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let task = makeTask(server.url())
        task.resume()
        try await results.value { !$0.isEmpty }
        task.cancel()
        try await end.follows(session)
        #expect(try results.value.map { try $0.get() } == [Data("abc".utf8)])
    }

    @Test("A handler may cancel its own task")
    func insideHandler() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let task = Monitor<URLSessionTask?>(nil)
        let dataTask = session.dataTask(with: server.url()) { (result: DataResult) in
            task.value?.cancel()
            append(result)
        }
        task.withLock { $0 = dataTask }
        dataTask.resume()
        try await end.follows(session)
        #expect(try results.value.map { try $0.get() } == [Data("abc".utf8)])
        task.withLock { $0 = nil }
    }

    @Test("Cancelling from many threads at once calls the handler once")
    func fromManyThreads() async throws {
        let server = try LoopbackServer(.silent)
        let task = makeTask(server.url())
        task.resume()
        try await server.requests(atLeast: 1)
        DispatchQueue.concurrentPerform(iterations: 64) { _ in task.cancel() }
        try await end.follows(session)
        #expect(results.value.map(\.isCancelled) == [true])
    }

    @Test("A cancellation that races with the answer gives one of the two, once", arguments: 1...100)
    func race(_: Int) async throws {
        let result = try await resultOfCancelling(during: .ok("abc"))
        #expect(result.isCancelled || (try? result.get()) == Data("abc".utf8))
    }

    @Test("A challenge that races with a cancellation gives one of the two, once", arguments: 1...100)
    func challengeRace(_: Int) async throws {
        let result = try await resultOfCancelling(during: .challenge("Basic realm=\"x\""))
        #expect(result.isCancelled || result.error?.statusCode == 401)
    }

    /// Sends a request and cancels it at the moment that it is answered.
    private func resultOfCancelling(during response: LoopbackServer.Response) async throws -> DataResult {
        let gate = Gate()
        let server = try LoopbackServer(response.once(gate))
        let task = makeTask(server.url())
        task.resume()
        try await server.requests(atLeast: 1)
        DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? gate.open() : task.cancel() }
        try await end.follows(session)
        #expect(results.value.count == 1)
        return try #require(results.value.first)
    }

    // MARK: In every form

    @Test("A Swift task that is already cancelled sends nothing", arguments: APIForm.all)
    func cancelledBefore(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok())
        let result = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await form(server.url())
        }.value
        #expect(result.isCancelled)
        #expect(server.requests.isEmpty)
    }

    @Test("A cancellation that races with the start is not lost", arguments: 1...20)
    func startRace(_: Int) async throws {
        let server = try LoopbackServer(.silent)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                let running = Task { await session.dataResult(from: server.url()) }
                group.addTask {
                    running.cancel()
                    return await running.value.isCancelled
                }
            }
            for await isCancelled in group { #expect(isCancelled) }
        }
    }

    #if os(Linux)
    @Test(
        "Cancelling before there is a connection ends the request while the server keeps silent, and hangs up",
        arguments: APIForm.all, UnfinishedServer.Stage.allCases)
    func beforeConnection(_ form: APIForm, _ stage: UnfinishedServer.Stage) async throws {
        let server = try UnfinishedServer(stage)
        let running = Task { await form(try server.url()) }
        try await server.clients(atLeast: 1)
        running.cancel()
        #expect(try await running.value.isCancelled)
        try await server.clientsAreGone()
    }
    #endif

    @Test("Cancelling inside the body hangs up", arguments: APIForm.all)
    func insideBody(_ form: APIForm) async throws {
        let sent = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            sent.open()
            connection.waitForClientToClose()
        }
        let running = Task { await form(server.url()) }
        try await sent.opened()
        running.cancel()
        #expect(await running.value.isCancelled)
        try await server.connectionsClosed()
    }

    @Test("Cancelling after a redirect hangs up, also after a second one", arguments: APIForm.all, [1, 2])
    func afterRedirect(_ form: APIForm, count: Int) async throws {
        for transport in LoopbackServer.Transport.trusted {
            let server = try LoopbackServer(over: transport) { request, connection in
                let isThere = request.target == "/\(count)"
                let next = (Int(request.target.dropFirst()) ?? 0) + 1
                try connection.respond(with: isThere ? .silent : .redirect(to: "/\(next)"), to: request)
            }
            let running = Task { await form(server.url()) }
            try await server.requests(atLeast: count + 1)
            running.cancel()
            #expect(await running.value.isCancelled)
            try await server.connectionsClosed()
        }
    }

    @Test("A cancellation that races with a redirect is not lost", arguments: APIForm.all)
    func redirectRace(_ form: APIForm) async throws {
        for transport in LoopbackServer.Transport.trusted {
            for _ in 1...10 {
                let gate = Gate()
                let server = try LoopbackServer(
                    .redirect(to: "/target", then: .silent).once(gate), over: transport)
                let running = Task { await form(server.url()) }
                try await server.requests(atLeast: 1)
                DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? gate.open() : running.cancel() }
                #expect(await running.value.isCancelled)
            }
        }
    }

    @Test("Invalidating and cancelling the session cancels what it has in flight", arguments: APIForm.all)
    func invalidated(_ form: APIForm) async throws {
        let server = try LoopbackServer(.silent)
        let session = Self.sessionToInvalidateTwice
        async let result = form(server.url(), in: session)
        try await server.requests(atLeast: 1)
        session.invalidateAndCancel()
        #expect(await result.isCancelled)
        try await server.connectionsClosed()
    }

    @Test("Invalidating the session lets what it has in flight finish", arguments: APIForm.all)
    func finishing(_ form: APIForm) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok().once(gate))
        let session = Self.sessionToInvalidateTwice
        async let result = form(server.url(), in: session)
        try await server.requests(atLeast: 1)
        session.finishTasksAndInvalidate()
        gate.open()
        #expect(await result.error == nil)
    }

    /// One without a delegate, which FoundationNetworking may take away twice, and then end the process.
    private static var sessionToInvalidateTwice: URLSession { URLSession(configuration: .forTests) }

    private func makeTask(_ url: URL) -> URLSessionTask {
        session.dataTask(with: url, resultHandler: append)
    }

    private var append: @Sendable (DataResult) -> Void {
        { [results] result in results.withLock { $0.append(result) } }
    }
}

extension Result where Failure == NetworkError {
    fileprivate var isCancelled: Bool { error?.isCancelled == true }
}
