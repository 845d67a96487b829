import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Many requests at once or in quick succession, over each transport.
@Suite(.inTurn)
struct CrowdTests {
    /// A session in which most of a crowd has to wait for its turn.
    private let session: URLSession = {
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 2
        return URLSession(configuration: configuration)
    }()

    @Test(
        "More requests than connections, each redirected, all arrive",
        arguments: LoopbackServer.Transport.trusted, [true, false])
    func redirects(transport: LoopbackServer.Transport, toOtherOrigin: Bool) async throws {
        let target = try LoopbackServer(.ok("there"), over: transport)
        let location = toOtherOrigin ? target.url("/target").absoluteString : "/target"
        let response = LoopbackServer.Response { request, connection in
            guard request.target == "/" else { return try connection.respond(body: "there") }
            // In one piece: the connection of a redirect whose body comes later is closed.
            try connection.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 5\r\n\r\nmoved")
        }
        let source = try LoopbackServer(response, over: transport)
        await withTaskGroup { group in
            for _ in 1...200 { group.addTask { await session.dataResult(from: source.url()) } }
            for await result in group { #expect((try? result.get()) == Data("there".utf8)) }
        }
        #expect(source.connectionCounts.mostAtOnce <= 2)
        #expect(target.connectionCounts.mostAtOnce <= 2)
        #expect(source.requests.count + target.requests.count == 400)
    }

    /// From Swift 6.3.2 on, FoundationNetworking completes such a task where its delegate leaves the challenge to it, and
    /// crashes if tasks are made and completed at the same moment.
    @Test(
        "Challenges that nothing can meet are server errors while other tasks come and go",
        arguments: [APIForm.dataTask, .downloadResult, .downloadResultWithProgress])
    func challenges(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: form.uploads ? .post : .get)
        let workersLeft = Monitor(12)
        await withTaskGroup { group in
            for _ in 0..<12 {
                group.addTask {
                    for _ in 0..<30 {
                        #expect(await form.run(session, request, 200..<300).error?.statusCode == 401)
                    }
                    workersLeft.withLock { $0 -= 1 }
                }
                group.addTask {
                    while workersLeft.value > 0 {
                        await withCheckedContinuation { continuation in
                            session.dataTask(with: server.url()) { (_: DataResult) in continuation.resume() }.cancel()
                        }
                    }
                }
            }
        }
        session.finishTasksAndInvalidate()
    }

    /// FoundationNetworking's `data(for:)` can wait forever here
    /// (https://github.com/swiftlang/swift-corelibs-foundation/issues/5412).
    @Test("An await that is cancelled while its answer arrives returns", arguments: LoopbackServer.Transport.trusted)
    func cancelledAwaits(transport: LoopbackServer.Transport) async throws {
        for _ in 1...10 {
            let gate = Gate()
            let server = try LoopbackServer(.ok("abc").once(gate), over: transport)
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            let awaits = (1...6).map { _ in Task { await session.dataResult(from: server.url()) } }
            try await server.requests(atLeast: awaits.count)
            DispatchQueue.concurrentPerform(iterations: awaits.count + 1) { index in
                if index == 0 { gate.open() } else { awaits[index - 1].cancel() }
            }
            for result in awaits {
                let result = await result.value
                #expect(result.error?.isCancelled == true || (try? result.get()) == Data("abc".utf8))
            }
        }
    }

    @Test(
        "Sixteen requests are redirected twice, half of them cancelled at different moments, and all end once",
        arguments: LoopbackServer.Transport.trusted, APIForm.all)
    func cancelledRedirects(transport: LoopbackServer.Transport, form: APIForm) async throws {
        let target = try LoopbackServer(.redirect(to: "/target", then: .ok("abc")), over: transport)
        let source = try LoopbackServer(.redirect(to: target.origin), over: transport)
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: source.url(), method: form.uploads ? .post : .get)
        let transfers = (0..<16).map { _ in Task { await form.run(session, request, 200..<300) } }
        for index in 0..<8 {
            try await source.requests(atLeast: index + 1)
            transfers[2 * index].cancel()
        }
        for (index, transfer) in transfers.enumerated() {
            let result = await transfer.value
            let isWhole = (try? result.get()) == Data((form.givesBody ? "abc" : "").utf8)
            #expect(isWhole || index.isMultiple(of: 2) && result.error?.isCancelled == true, "\(result)")
        }
        session.finishTasksAndInvalidate()
    }

    @Test("An await that is cancelled while its connection is refused returns")
    func cancelledRefusals() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        for _ in 1...100 {
            let running = Task { await session.dataResult(from: url) }
            await Task.yield()
            running.cancel()
            #expect(await running.value.error?.urlError != nil)
        }
    }

    @Test(
        "Transfers with progress that follow each other quickly all end well",
        arguments: LoopbackServer.Transport.trusted)
    func progress(transport: LoopbackServer.Transport) async throws {
        let server = try LoopbackServer(.ok("abc"), over: transport)
        await withTaskGroup { group in
            for _ in 1...4 {
                group.addTask {
                    for _ in 1...(transport.scheme == "https" ? 500 : 50) { await transfer(from: server.url()) }
                }
            }
        }
    }

    @Test(
        "Streams at once are whole, and requests of another session go on meanwhile",
        arguments: LoopbackServer.Transport.trusted, [1, 2, 4, 16, 100])
    func streams(transport: LoopbackServer.Transport, count: Int) async throws {
        let report = try await StreamCrowd(count: count, transport: transport).run()
        #expect(report.wholeStreams == count)
        #expect(report.errors.isEmpty)
    }

    @Test(
        "Streams that are read, dropped, broken out of and cancelled, sixteen at once, all end, and close their connections",
        arguments: LoopbackServer.Transport.trusted)
    func leftStreams(transport: LoopbackServer.Transport) async throws {
        let report = try await LeftStreams(count: 200, atOnce: 16, transport: transport).run()
        #expect(report.endings.values.map(\.self) == [50, 50, 50, 50])
        #expect(report.errors.isEmpty)
    }

    @Test("One slow reader among fifteen fast ones holds up nobody", arguments: LoopbackServer.Transport.trusted)
    func slowReader(transport: LoopbackServer.Transport) async throws {
        let body = Data.blocks(64, ofSize: 1 << 17)
        let server = try LoopbackServer(.ok(body), over: transport)
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 16
        let session = URLSession(configuration: configuration)
        var slow = try await session.bytesResult(from: server.url()).get().body.chunks.makeAsyncIterator()
        var received = try #require(try await slow.next())
        await withTaskGroup { group in
            for _ in 0..<15 {
                group.addTask {
                    #expect((try? await session.bytesResult(from: server.url()).collected().get()) == body)
                }
            }
        }
        while let chunk = try await slow.next() { received += chunk }
        #expect(received == body)
        session.finishTasksAndInvalidate()
    }

    private func transfer(from url: URL) async {
        let reports = RecordedProgress()
        let result = await session.dataResult(from: url, progress: reports.handler)
        #expect((try? result.get()) == Data("abc".utf8))
        #expect(reports.all.last == TransferProgress(completedBytes: 3, totalBytes: 3))
    }
}
