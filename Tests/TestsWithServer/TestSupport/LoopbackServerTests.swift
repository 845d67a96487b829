import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The server that the other tests trust.
@Suite(.inTurn)
struct LoopbackServerTests {
    private let session = URLSession(configuration: .forTests)

    @Test("A request is recorded with its method, target, header fields and body")
    func recordsRequests() async throws {
        let server = try LoopbackServer(.echo)
        var request = URLRequest(url: server.url("/a/b?c=d"))
        request.httpMethod = "PUT"
        request.setValue("e", forHTTPHeaderField: "X-Field")
        request.httpBody = Data("body".utf8)
        let (data, _) = try await session.data(for: request)

        #expect(String(decoding: data, as: UTF8.self) == "body")
        let recorded = try #require(server.requests.first)
        #expect(recorded.method == "PUT")
        #expect(recorded.target == "/a/b?c=d")
        #expect(recorded.path == "/a/b")
        #expect(recorded.header("x-field") == "e")
        #expect(recorded.text == "body")
    }

    @Test("A connection serves one request after another")
    func keepsConnectionsAlive() async throws {
        let server = try LoopbackServer(.ok())
        for _ in 1...3 { _ = try await session.data(from: server.url()) }
        #expect(server.requests.count == 3)
        #expect(server.connectionCounts.accepted == 1)
    }

    @Test("Routes answer by path, and with 404 where there is none")
    func routes() async throws {
        let server = try LoopbackServer(["/there": .json("[1]"), "/away": .redirect(to: "/there")])
        #expect(try await status(of: server.url("/there?x=1")) == 200)
        #expect(try await status(of: server.url("/away")) == 200)
        #expect(try await status(of: server.url("/elsewhere")) == 404)
        #expect(server.requests.map(\.path) == ["/there", "/away", "/there", "/elsewhere"])
    }

    @Test("HEAD, 204 and 304 are answered without a body")
    func bodilessResponses() async throws {
        let server = try LoopbackServer(["/": .ok("body"), "/204": .status(204, "no"), "/304": .status(304, "no")])
        var head = URLRequest(url: server.url())
        head.httpMethod = "HEAD"
        let (data, response) = try await session.data(for: head)
        #expect(data.isEmpty)
        #expect(response.expectedContentLength == 4)
        #expect(try await status(of: server.url("/204")) == 204)
        #expect(try await status(of: server.url("/304")) == 304)
        #expect(try await status(of: server.url()) == 200)
    }

    @Test(
        "A fault reaches the client as an error",
        arguments: [
            LoopbackServer.Response.truncated("abc", of: 10), .reset, .closed, .raw("nonsense"),
            .reset(after: "HTTP/1.1 200 OK\r\n"),
        ]
    )
    func faults(response: LoopbackServer.Response) async throws {
        let server = try LoopbackServer(response)
        await #expect(throws: URLError.self) { try await session.data(from: server.url()) }
    }

    @Test("Bytes that come one at a time make a whole response")
    func drip() async throws {
        let server = try LoopbackServer(.drip("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"))
        let (data, _) = try await session.data(from: server.url())
        #expect(String(decoding: data, as: UTF8.self) == "abc")
    }

    @Test("Large bodies arrive whole in both directions")
    func largeBodies() async throws {
        let count = 2 << 20
        let server = try LoopbackServer(["/down": .zeros(count), "/up": .echo])
        let (down, _) = try await session.data(from: server.url("/down"))
        #expect(down == Data(count: count))

        var request = URLRequest(url: server.url("/up"))
        request.httpMethod = "POST"
        let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let (up, _) = try await session.upload(for: request, from: body)
        #expect(up == body)
    }

    @Test("A silent server notices that its client has gone")
    func noticesCancellation() async throws {
        let server = try LoopbackServer(.silent)
        let task = session.dataTask(with: server.url()) { _, _, _ in }
        task.resume()
        try await server.requests(atLeast: 1)
        task.cancel()
        try await server.connectionsClosed()
    }

    @Test("A gate holds a response back")
    func gate() async throws {
        let gate = Gate()
        let events = Monitor<[String]>([])
        let response = LoopbackServer.Response { _, connection in
            events.withLock { $0.append("answered") }
            try connection.respond(503)
        }
        let server = try LoopbackServer(response.once(gate))
        async let first = status(of: server.url())
        try await server.requests(atLeast: 1)
        events.withLock { $0.append("opened") }
        gate.open()
        #expect(try await first == 503)
        #expect(events.value == ["opened", "answered"])
    }

    @Test("A handler may answer before it reads the body")
    func unreadBody() async throws {
        // Whether the body arrives is for curl to decide: after an error it may stop sending.
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            try connection.respond(413, body: "too large")
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = "POST"
        let (_, response) = try await session.upload(for: request, from: Data(count: 1000))
        #expect((response as? HTTPURLResponse)?.statusCode == 413)
    }

    @Test("A stopped server refuses connections and ends those that are open")
    func stops() async throws {
        let server = try LoopbackServer(.silent)
        let pending = Task { try await session.data(from: server.url()) }
        try await server.requests(atLeast: 1)
        server.stop()
        await #expect(throws: URLError.self) { try await pending.value }
        await #expect(throws: URLError.self) { try await session.data(from: server.url()) }
    }

    private func status(of url: URL) async throws -> Int? {
        let (_, response) = try await session.data(from: url)
        return (response as? HTTPURLResponse)?.statusCode
    }
}
