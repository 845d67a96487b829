import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct APIClientValuesTests {
    private let session = URLSession(configuration: .forTests)

    private func values(
        _ server: LoopbackServer, until end: String? = "[DONE]", _ middleware: any RequestMiddleware...
    ) -> NetworkSequence<Int> {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = APIClient(baseURL: server.url(), session: session, decoder: decoder, middleware: middleware)
        return client.values(
            for: Endpoint(.post, "chat", body: .json(["a": 1]), as: Int.self, at: "theNumber"), until: end)
    }

    private func collected(_ values: NetworkSequence<Int>) async throws -> [Int] {
        var collected: [Int] = []
        for try await value in values { collected.append(value) }
        return collected
    }

    @Test("They are the data of events until [DONE], or lines, as the content type says")
    func values() async throws {
        let events = try LoopbackServer(
            .ok(
                "data: {\"the_number\": 1}\n\n: ping\n\nevent: x\ndata: {\"the_number\":\ndata: 2}\n\ndata: [DONE]\n\ndata: x\n\n",
                headers: ["Content-Type": "text/event-stream; charset=utf-8"]))
        #expect(try await collected(values(events)) == [1, 2])
        let lines = try LoopbackServer(.ok("{\"the_number\": 1}\n\n{\"the_number\": 2}"))
        #expect(try await collected(values(lines)) == [1, 2])
        #expect(lines.requests.map(\.text) == [#"{"a":1}"#])
        let accepted = "text/event-stream, application/x-ndjson, application/json"
        #expect((events.requests + lines.requests).map { $0.header("Accept") } == [accepted, accepted])
    }

    @Test(
        "The word ends them, and so does the length of the body, though the server leaves the connection open",
        arguments: [
            ("", "data: {\"the_number\": 1}\n\ndata: [DONE]\n\n"),
            ("Content-Length: 24\r\n", "data: {\"the_number\": 1}\n"),
            ("Content-Length: 23\r\n", "data: {\"the_number\": 1}"),
        ])
    func openConnection(lengthField: String, body: String) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(lengthField)\r\n"
        let server = try LoopbackServer(.stalled(after: head + body))
        #expect(try await collected(values(server)) == [1])
    }

    @Test("Another word may end them, or none", arguments: ["end", nil])
    func end(_ end: String?) async throws {
        let server = try LoopbackServer(
            .ok(
                "data: {\"the_number\": 1}\n\ndata: \(end ?? "{\"the_number\": 2}")\n\n",
                headers: ["Content-Type": "text/event-stream"]))
        #expect(try await collected(values(server, until: end)) == (end == nil ? [1, 2] : [1]))
    }

    @Test("The head comes first, and the values can be read once")
    func head() async throws {
        let server = try LoopbackServer(.ok("1\n2\n", headers: ["X-Model": "a"]))
        let client = APIClient(baseURL: server.url(), session: session)
        let response = try await client.valuesResult(for: Endpoint(.get, "", as: Int.self)).get()
        #expect(response.header("X-Model") == "a")
        #expect(try await collected(response.body) == [1, 2])
        await #expect(throws: NetworkError.self) { try await collected(response.body) }
        let server404 = try LoopbackServer(.status(404))
        let refusing = APIClient(baseURL: server404.url(), session: session)
        #expect(await refusing.valuesResult(for: Endpoint(.get, "", as: Int.self)).error?.statusCode == 404)
    }

    @Test("The middleware is around the head, and an error after it is thrown once")
    func errors() async throws {
        let server = try LoopbackServer.inTurn(
            .status(503, headers: ["Retry-After": "0"]), .status(401), .truncated("{\"the_number\": 1}\n", of: 99))
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        var iterator = values(server, Retry(alsoRepeating: [.post]), token).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 3)
    }

    @Test("A value that cannot be decoded is an error, and so is a refusal, and both end the values")
    func decodingError() async throws {
        let server = try LoopbackServer.inTurn(
            .ok("data: x\n\ndata: {\"the_number\": 2}\n\n", headers: ["Content-Type": "text/event-stream"]),
            .status(400))
        var iterator = values(server).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        guard case .decodingError? = error else { return #expect(Bool(false)) }
        #expect(try await iterator.next() == nil)
        var refused = values(server).makeAsyncIterator()
        #expect(await #expect(throws: NetworkError.self) { try await refused.next() }?.statusCode == 400)
        #expect(try await refused.next() == nil)
    }

    @Test(
        "Nothing is sent before the loop, and leaving it or cancelling ends the connection", arguments: [true, false])
    func leaving(isCancelled: Bool) async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\n\r\n{\"the_number\": 1}\n"))
        let values = values(server)
        let received = Monitor(0)
        let running = Task {
            for try await _ in values {
                received.withLock { $0 += 1 }
                if !isCancelled { break }
            }
        }
        try await received.value { $0 == 1 }
        if isCancelled { running.cancel() }
        _ = await running.result
        try await server.connectionsClosed()
        #expect(server.requests.count == 1)
    }

    /// A response whose body ends with the connection.
    private static func body(_ text: String, type: String?) -> LoopbackServer.Response {
        .ok(text, headers: type.map { ["Content-Type": $0] } ?? [:])
    }

    private func strings(
        _ response: LoopbackServer.Response, as format: StreamFormat = .byContentType,
        invalidElements: InvalidElements = .fail, accepting accept: String? = nil
    ) async throws -> [String] {
        let server = try LoopbackServer(response)
        let client = APIClient(baseURL: server.url(), session: session)
        let endpoint = Endpoint(.get, "", decoder: .string())
        var strings: [String] = []
        for try await string in client.values(for: endpoint, as: format, invalidElements: invalidElements) {
            strings.append(string)
        }
        if let accept { #expect(server.requests.first?.header("Accept") == accept) }
        return strings
    }

    @Test(
        "The last event of a body that ended regularly counts without its end, and ends the values if it says so",
        arguments: [
            ("data: 1\n\ndata: 2", ["1", "2"]), ("data: 1\n\ndata: 2\n", ["1", "2"]), ("data: 1", ["1"]),
            ("data: 1\r\n\r\nevent: x\r\ndata: 2\r\ndata: 3", ["1", "2\n3"]), ("data: 1\n\nid: 7", ["1"]),
            ("data: 1\n\ndata: [DONE]", ["1"]), ("data: 1\n\ndata: [DONE]\n", ["1"]), ("data: 1\n\n: ping", ["1"]),
            ("data: 1\n\n", ["1"]), ("", []),
        ] as [(String, [String])], ["text/event-stream", "text/plain"])
    func lastEvent(_ row: (body: String, expected: [String]), type: String) async throws {
        #expect(try await strings(Self.body(row.body, type: type)) == row.expected)
    }

    @Test("The last event of a body that breaks off does not count")
    func interruptedEvent() async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Content-Type": "text/event-stream"], contentLength: 99)
            try connection.send("data: 1\n\ndata: 2\n")
            connection.close()
        }
        var values = APIClient(baseURL: server.url(), session: session)
            .values(for: Endpoint(.get, "", decoder: .string())).makeAsyncIterator()
        #expect(try await values.next() == "1")
        let error = await #expect(throws: NetworkError.self) { try await values.next() }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(try await values.next() == nil)
    }

    @Test(
        "A body that is not declared to be streamed is read by its first line",
        arguments: [
            ("data: a\n\ndata: b\n\n", true), ("data:a\n\n", true), ("event: x\ndata: a\n\n", true),
            (": ping\n\ndata: a\n\n", true), ("id: 1\ndata: a\n\n", true), ("retry: 1\n\ndata: a\n\n", true),
            ("\n\r\n\ndata: a\n\n", true), ("\u{FEFF}data: a\n\n", true), ("{\"data\": 1}\n", false), ("data\n", false),
            ("datax: 1\n", false), (" data: 1\n", false), ("[1]\ndata: 2\n", false), ("Data: 1\n", false),
        ] as [(String, Bool)],
        ["text/plain; charset=utf-8", "application/json", "application/octet-stream", nil] as [String?])
    func firstLine(_ row: (body: String, isEvents: Bool), type: String?) async throws {
        let lines = row.body.split(whereSeparator: \.isNewline).map(String.init)
        let events = row.body.contains("data: b") ? ["a", "b"] : ["a"]
        #expect(try await strings(Self.body(row.body, type: type)) == (row.isEvents ? events : lines))
    }

    @Test(
        "A body that is declared to be lines stays one, whatever its first line is",
        arguments: ["application/x-ndjson", "application/NDJSON; charset=utf-8", "application/jsonl"])
    func declaredLines(_ type: String) async throws {
        #expect(try await strings(Self.body("data: 1\n\ndata: 2", type: type)) == ["data: 1", "data: 2"])
    }

    @Test("The format that is named counts, and is what the request accepts")
    func format() async throws {
        let events = Self.body("data: 1\n\ndata: 2", type: "application/x-ndjson")
        #expect(try await strings(events, as: .events, accepting: "text/event-stream") == ["1", "2"])
        let lines = Self.body("data: 1\n\ndata: 2", type: "text/event-stream")
        let types = "application/x-ndjson, application/json"
        #expect(try await strings(lines, as: .lines, accepting: types) == ["data: 1", "data: 2"])
        let error = await #expect(throws: NetworkError.self) {
            try await strings(
                Self.body("{}\n", type: "application/json"), as: .events, invalidElements: .skip { _, _ in })
        }
        guard case .decodingError(_, let response)? = error else { return #expect(Bool(false)) }
        #expect(response?.body == Data("{}\n".utf8))
    }

    @Test("Values that cannot be decoded are skipped and reported with their positions", arguments: [true, false])
    func skip(isEvents: Bool) async throws {
        let parts = ["1", "no", "{", "4"]
        let body = isEvents ? parts.map { ": x\n\ndata: \($0)\n\n" }.joined() : parts.joined(separator: "\n\n")
        let server = try LoopbackServer(Self.body(body, type: nil))
        let client = APIClient(baseURL: server.url(), session: session)
        let reports = Monitor<[String]>([])
        let values = client.values(
            for: Endpoint(.get, "", as: Int.self),
            invalidElements: .skip { index, error in
                let body = error.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                reports.withLock { $0.append("\(index) \(body) \("\(error)".contains(isEvents ? "event" : "line"))") }
            })
        #expect(try await collected(values) == [1, 4])
        #expect(reports.value == ["1 no true", "2 { true"])
        let failing = client.values(for: Endpoint(.get, "", as: Int.self))
        await #expect(throws: NetworkError.self) { try await collected(failing) }
    }

    @Test("Skipping does not hide that the body breaks off, and ends when it is cancelled", arguments: [true, false])
    func skipAndEnd(isCancelled: Bool) async throws {
        let skipped = Monitor(0)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Content-Type": "text/event-stream"], contentLength: 9_999)
            try connection.send("data: x\n\n")
            if isCancelled { connection.waitForClientToClose() } else { connection.close() }
        }
        let values = APIClient(baseURL: server.url(), session: session).values(
            for: Endpoint(.get, "", as: Int.self), invalidElements: .skip { _, _ in skipped.withLock { $0 += 1 } })
        let running = Task { try await collected(values) }
        try await skipped.value { $0 == 1 }
        if isCancelled { running.cancel() }
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        #expect(error?.urlError?.code == (isCancelled ? .cancelled : .networkConnectionLost))
        try await server.connectionsClosed()
    }
}
