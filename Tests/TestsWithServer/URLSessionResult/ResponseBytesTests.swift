import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What `bytesResult` streams.
@Suite(.inTurn)
struct ResponseBytesTests {
    private let session = URLSession(configuration: .ephemeral)

    private func response(_ server: LoopbackServer) async throws -> NetworkResponse<ResponseBytes> {
        try await session.bytesResult(from: server.url()).get()
    }

    // MARK: The head

    @Test("The head is there before the body")
    func head() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 201 Made\r\nX-Name: x\r\nContent-Length: 9\r\n\r\n"))
        let response = try await response(server)
        #expect(response.statusCode == 201)
        #expect(response.header("x-name") == "x")
    }

    @Test("An error response keeps the first mebibyte of its body, and the rest is not awaited")
    func longErrorBody() async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(500, headers: ["Transfer-Encoding": "chunked"], contentLength: nil)
            // Such a body is awaited for two seconds.
            try connection.send("100000\r\n\(String(repeating: "x", count: 0x100000))\r\n")
            while true { try connection.send("1000\r\n\(String(repeating: "x", count: 0x1000))\r\n") }
        }
        let error = try #require(await session.bytesResult(from: server.url()).error)
        #expect(error.statusCode == 500)
        #expect(error.response?.body == Data(repeating: UInt8(ascii: "x"), count: 1 << 20))
        try await server.connectionsClosed()
    }

    /// Both pieces of a body and the request's own timeout would go on for ever.
    @Test(
        "The body of an error response that never ends is awaited for two seconds",
        arguments: [
            LoopbackServer.Response.stalled(after: "HTTP/1.1 503 Busy\r\nContent-Length: 99\r\n\r\nabc"),
            LoopbackServer.Response { _, connection in
                try connection.send("HTTP/1.1 503 Busy\r\n\r\nabc")
                while true { try connection.send(":") }
            },
        ])
    func endlessErrorBody(_ answer: LoopbackServer.Response) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: answer))
        let response = try #require(await session.bytesResult(from: server.url()).error?.response)
        #expect(response.statusCode == 503)
        #expect(response.body.starts(with: Data("abc".utf8)))
        try await server.connectionsClosed()
    }

    @Test("A challenge may take longer to answer than the body of an error response is awaited")
    func slowAnswer() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            let isAnswered = request.header("Authorization") != nil
            try connection.respond(with: isAnswered ? .ok("welcome") : .challenge(#"Basic realm="x""#), to: request)
        }
        let delegate = WaitingDelegate(gate: gate)
        let challenged = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        async let result = challenged.bytesResult(from: server.url())
        try await delegate.isAsked.opened()
        // This one is given up after the time that a body has.
        let stalled = try LoopbackServer(.stalled(after: "HTTP/1.1 503 Busy\r\nContent-Length: 99\r\n\r\n"))
        #expect(await session.bytesResult(from: stalled.url()).error?.statusCode == 503)
        gate.open()
        #expect(try await result.collected().get() == Data("welcome".utf8))
        challenged.finishTasksAndInvalidate()
    }

    @Test(
        "The final head is judged, not those before it",
        arguments: ["100 Continue", "102 Processing", "103 Early Hints\r\nLink: </x>", "199 Unknown"],
        [
            ("200 OK\r\nContent-Length: 3\r\n\r\nabc", 200), ("404 None\r\nContent-Length: 3\r\n\r\nabc", 404),
            ("302 Moved\r\nContent-Length: 0\r\n\r\n", 302), ("204 None\r\n\r\n", 204),
        ])
    func finalHead(interim: String, _ final: (head: String, status: Int)) async throws {
        let server = try LoopbackServer(
            .raw("HTTP/1.1 \(interim)\r\n\r\nHTTP/1.1 \(interim)\r\n\r\nHTTP/1.1 \(final.head)"))
        let sentBody = Data((final.head.hasSuffix("abc") ? "abc" : "").utf8)
        let result = await session.bytesResult(from: server.url())
        #expect((result.error?.statusCode ?? (try? result.get().statusCode)) == final.status)
        if let error = result.error { #expect(error.response?.body == sentBody) }
        let accepted = try await session.bytesResult(from: server.url(), accepting: 100..<500).get()
        #expect(accepted.statusCode == final.status)
        let body = try await accepted.body.chunks.reduce(into: Data()) { $0 += $1 }
        #expect(body == sentBody)
    }

    #if canImport(FoundationNetworking)
    /// For libcurl the head ends at the CR that is alone, for FoundationNetworking it never does.
    @Test("A body whose head has no end cannot be parsed", arguments: [200, 404])
    func bodyWithoutHead(status: Int) async throws {
        let server = try LoopbackServer(.raw("HTTP/1.1 \(status) Status\r\nX: y\r\n\r\r\nabc"))
        let error = await session.bytesResult(from: server.url(), accepting: 100..<600).error
        #expect(error?.urlError?.code == .cannotParseResponse)
        try await server.connectionsClosed()
    }
    #endif

    @Test("A 401 that no credential answers keeps its body")
    func challenge() async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#, "who are you?"))
        let response = try #require(await session.bytesResult(from: server.url()).error?.response)
        #expect(response.statusCode == 401)
        #expect(response.body == Data("who are you?".utf8))
    }

    @Test("A redirect to another origin leaves the credentials behind")
    func redirectToOtherOrigin() async throws {
        let target = try LoopbackServer(.ok("there"))
        let source = try LoopbackServer(.redirect(to: target.url("/there").absoluteString))
        var request = URLRequest(url: source.url())
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        #expect(try await session.bytesResult(for: request).collected().get() == Data("there".utf8))
        #expect(source.requests.map { $0.header("Authorization") } == ["Bearer secret"])
        #expect(target.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test("A redirect without a target is judged by its status code")
    func redirectWithoutTarget() async throws {
        let server = try LoopbackServer(.status(302, "moved"))
        #expect(await session.bytesResult(from: server.url()).error?.statusCode == 302)
        let accepted = try await session.bytesResult(from: server.url(), accepting: [302]).get()
        #expect(accepted.statusCode == 302)
    }

    // MARK: The body

    @Test("Every chunk is there before the server sends the next one")
    func chunks() async throws {
        let sent = ["first", "second", "third"]
        let turns = Monitor(0)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Transfer-Encoding": "chunked"], contentLength: nil)
            for (index, text) in sent.enumerated() {
                turns.wait { $0 == index }
                try connection.send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
            }
            turns.wait { $0 == sent.count }
            try connection.send("0\r\n\r\n")
        }
        var received: [String] = []
        for try await chunk in try await response(server).body.chunks {
            received.append(String(decoding: chunk, as: UTF8.self))
            turns.withLock { $0 += 1 }
        }
        #expect(received == sent)
    }

    @Test("Every line is there before the server sends the next one", arguments: ["\n", "\r", "\r\n"])
    func linesInTime(end: String) async throws {
        let turns = Monitor(0)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Connection": "close"], contentLength: nil)
            for index in 0..<3 {
                turns.wait { $0 == index }
                try connection.send("line \(index)" + end)
            }
            turns.wait { $0 == 3 }
            connection.close()
        }
        var received: [String] = []
        for try await line in try await response(server).body.lines {
            received.append(line)
            turns.withLock { $0 += 1 }
        }
        #expect(received == ["line 0", "line 1", "line 2"])
    }

    @Test("Lines are the same wherever the network splits them")
    func splitLines() async throws {
        let body = "a\r\nb\r\r\n\nü€😀\r\n\r\nlast"
        let server = try LoopbackServer(.drip("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
        var lines: [String] = []
        for try await line in try await response(server).body.lines { lines.append(line) }
        #expect(lines == ["a", "b", "", "", "ü€😀", "", "last"])
    }

    @Test("Bytes and chunks give the body as it was sent", arguments: [(0, 0), (1, 1), (100, 1000), (6, 1 << 20)])
    func wholeBody(count: UInt8, size: Int) async throws {
        let body = Data.blocks(count, ofSize: size)
        let server = try LoopbackServer(.ok(body))
        var bytes: [UInt8] = []
        for try await byte in try await response(server).body { bytes.append(byte) }
        #expect(Data(bytes) == body)
        #expect(try await session.bytesResult(from: server.url()).collected().get() == body)
    }

    @Test("After its end, an iterator goes on giving nil")
    func afterTheEnd() async throws {
        let server = try LoopbackServer(.ok("a"))
        var iterator = try await response(server).body.makeAsyncIterator()
        #expect(try await iterator.next() == UInt8(ascii: "a"))
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
    }

    @Test("A request with a body streams its response")
    func requestWithBody() async throws {
        let server = try LoopbackServer(.echo)
        var request = URLRequest(url: server.url(), method: .post)
        request.httpBody = Data(repeating: 7, count: 100_000)
        #expect(try await session.bytesResult(for: request).collected().get() == request.httpBody)
    }

    #if canImport(FoundationNetworking)
    @Test("Streams that follow each other share a connection")
    func connectionIsReused() async throws {
        let connections = Monitor<Set<ObjectIdentifier>>([])
        let server = try LoopbackServer { _, connection in
            connections.withLock { _ = $0.insert(ObjectIdentifier(connection)) }
            try connection.respond(body: "abc")
        }
        for _ in 0..<3 {
            #expect(try await session.bytesResult(from: server.url()).collected().get() == Data("abc".utf8))
        }
        #expect(connections.value.count == 1)
    }
    #endif

    // MARK: Errors

    @Test(
        "A body that ends early is an error after the bytes that came",
        arguments: [
            "Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "Transfer-Encoding: chunked\r\n\r\n9\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n",
        ])
    func truncated(rest: String) async throws {
        let server = try LoopbackServer(.raw("HTTP/1.1 200 OK\r\n\(rest)"))
        let (text, error) = await read(try await response(server).body)
        #expect(text == "abc")
        #expect(error?.urlError != nil)
        #expect(error?.isCancelled == false)
    }

    @Test("A reset is an error after the bytes that were read")
    func reset() async throws {
        let wasRead = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            wasRead.wait()
            connection.reset()
        }
        var iterator = try await response(server).body.chunks.makeAsyncIterator()
        #expect(try await iterator.next() == Data("abc".utf8))
        wasRead.open()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(try await iterator.next() == nil, "an error is thrown once")
    }

    @Test("Half a line before an error is not given as a line")
    func halfALine() async throws {
        let server = try LoopbackServer(.truncated("whole\nhal", of: 20))
        var lines: [String] = []
        let body = try await response(server).body
        await #expect(throws: NetworkError.self) { for try await line in body.lines { lines.append(line) } }
        #expect(lines == ["whole"])
    }

    @Test(
        "A refused body that is cut off keeps its status and what came of it",
        arguments: [
            LoopbackServer.Response.raw("HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nabc"),
            .raw("HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n"),
            // The timeout of the request ends it, before two seconds have passed.
            .stalled(after: "HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nabc"),
        ])
    func cutOffErrorBody(_ answer: LoopbackServer.Response) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: answer))
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 1
        // On a busy machine, the timeout may come before the head.
        for _ in 0..<20 {
            let error = await session.bytesResult(for: request).error
            if error?.urlError?.code == .timedOut, error?.response == nil { continue }
            #expect(error?.statusCode == 503)
            #expect(error?.response?.body == Data("abc".utf8))
            return
        }
        Issue.record("The head did not come in any attempt.")
    }

    @Test("A refused body that is cancelled is a cancellation")
    func cancelledErrorBody() async throws {
        let server = try LoopbackServer([
            "/": .stalled(after: "HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nabc"), "/other": .ok(),
        ])
        // Such a body is awaited for two seconds. On a busy machine they may pass before the cancellation.
        for attempt in 0..<20 {
            let running = Task { await session.bytesResult(from: server.url()) }
            try await server.requests(atLeast: 2 * attempt + 1)
            // When its answer is there, so is the head of the first one.
            _ = try await session.bytesResult(from: server.url("/other")).collected().get()
            running.cancel()
            let error = await running.value.error
            if error?.isCancelled == true { return }
            #expect(error?.statusCode == 503)
        }
        Issue.record("The cancellation was no error in any attempt.")
    }

    @Test("Silence between two pieces is a timeout")
    func timeout() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 5
        let (text, error) = await read(try await session.bytesResult(for: request).get().body)
        #expect(text == "abc")
        #expect(error?.urlError?.code == .timedOut)
    }

    /// Reads a body to its end or to its error.
    private func read(_ body: ResponseBytes) async -> (text: String, error: NetworkError?) {
        var text = Data()
        do throws(NetworkError) {
            for try await byte in body { text.append(byte) }
        } catch {
            return (String(decoding: text, as: UTF8.self), error)
        }
        return (String(decoding: text, as: UTF8.self), nil)
    }

    // MARK: Cancellation

    /// A server that sends more than is kept in memory, and then nothing more.
    private static func ahead() throws -> LoopbackServer {
        try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 100_000_000)
            let lines = Data(String(repeating: "line\n", count: 1_000_000).utf8)
            try connection.send(lines)
            connection.waitForClientToClose()
        }
    }

    /// A server that sends the beginning of a body and then nothing more.
    private static func stalled() throws -> LoopbackServer {
        try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nline\n"))
    }

    /// A server that sends a half of a body, and the other half when the gate is open.
    private static func halted(at gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            gate.wait()
            try connection.send("def")
        }
    }

    @Test("Leaving the loop hangs up", arguments: [ahead, stalled])
    func leaving(_ makeServer: @Sendable () throws -> LoopbackServer) async throws {
        let server = try makeServer()
        let response = try await response(server)
        for try await line in response.body.lines {
            #expect(line == "line")
            break
        }
        try await server.connectionsClosed()
        #expect(response.statusCode == 200, "the response is still there")
    }

    @Test("Dropping a response without reading it hangs up", arguments: [ahead, stalled])
    func dropping(_ makeServer: @Sendable () throws -> LoopbackServer) async throws {
        let server = try makeServer()
        _ = try await response(server)
        try await server.connectionsClosed()
    }

    @Test("Dropping an iterator hangs up", arguments: [ahead, stalled])
    func droppingIterator(_ makeServer: @Sendable () throws -> LoopbackServer) async throws {
        let server = try makeServer()
        let body = try await response(server).body
        do {
            var iterator = body.makeAsyncIterator()
            #expect(try await iterator.next() == UInt8(ascii: "l"))
        }
        try await server.connectionsClosed()
    }

    @Test("Cancelling the Swift task that waits for a piece hangs up")
    func cancellingWhileWaiting() async throws {
        let server = try Self.stalled()
        let body = try await response(server).body
        let hasRead = Gate()
        let reading = Task {
            for try await _ in body.chunks { hasRead.open() }
        }
        try await hasRead.opened()
        reading.cancel()
        let error = await #expect(throws: NetworkError.self) { try await reading.value }
        #expect(error?.isCancelled == true)
        try await server.connectionsClosed()
    }

    @Test("Cancelling the Swift task that reads what has arrived ends the loop and hangs up")
    func cancellingWhileReading() async throws {
        let server = try Self.ahead()
        let body = try await response(server).body
        let reading = Task {
            for try await _ in body.lines { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let error = await #expect(throws: NetworkError.self) { try await reading.value }
        #expect(error?.isCancelled == true)
        try await server.connectionsClosed()
    }

    @Test("Invalidating and cancelling the session ends its streams")
    func invalidated() async throws {
        let server = try Self.stalled()
        var iterator = try await response(server).body.chunks.makeAsyncIterator()
        _ = try await iterator.next()
        session.invalidateAndCancel()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.isCancelled == true)
        try await server.connectionsClosed()
    }

    @Test("Invalidating the session lets its streams finish")
    func finishing() async throws {
        let gate = Gate()
        let server = try Self.halted(at: gate)
        let body = try await response(server).body
        session.finishTasksAndInvalidate()
        gate.open()
        #expect(await read(body).text == "abcdef")
    }

    @Test("Other requests of the session run while nobody reads a stream")
    func unreadStream() async throws {
        let streaming = try Self.ahead()
        let other = try LoopbackServer(.ok("other"))
        let response = try await response(streaming)
        for _ in 0..<20 { #expect(try await session.dataResult(from: other.url()).get() == Data("other".utf8)) }
        withExtendedLifetime(response) {}
    }

    @Test("Many streams at once, half of them left early")
    func many() async throws {
        let body = Data.blocks(10, ofSize: 10_000)
        let server = try LoopbackServer(.ok(body))
        await withTaskGroup { group in
            for index in 0..<40 {
                group.addTask {
                    let result = await session.bytesResult(from: server.url())
                    if index.isMultiple(of: 2) { return }
                    #expect((try? await result.collected().get()) == body)
                }
            }
        }
    }
}

/// Answers a challenge when the gate is open.
private final class WaitingDelegate: NSObject, URLSessionTaskDelegate {
    let isAsked = Gate()
    private let gate: Gate

    init(gate: Gate) { self.gate = gate }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        isAsked.open()
        gate.wait()
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }
}
