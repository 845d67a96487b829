import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct APIClientEventsTests {
    private let waits = Monitor<[TimeInterval]>([])
    private let session = URLSession(configuration: .forTests)
    private let eventStream: KeyValuePairs = ["Content-Type": "text/event-stream"]

    private func events(
        _ server: LoopbackServer, _ endpoint: Endpoint<Void> = Endpoint(.get, ""), headers: [String: String] = [:],
        _ middleware: any RequestMiddleware...
    ) -> NetworkSequence<ServerSentEvent> {
        let client = APIClient(baseURL: server.url(), session: session, headers: headers, middleware: middleware)
        return client.events(for: endpoint, random: \.upperBound) { [waits] seconds in
            waits.withLock { $0.append(seconds) }
            try Task.checkCancellation()
        }
    }

    private func data(_ events: NetworkSequence<ServerSentEvent>) async throws -> [String] {
        var data: [String] = []
        for try await event in events { data.append(event.data) }
        return data
    }

    @Test("An error that stays is thrown, and nothing is asked again", arguments: [401, 200])
    func refused(_ status: Int) async throws {
        let server = try LoopbackServer(.status(status, "Sign in", headers: ["Content-Type": "text/html"]))
        var events = events(server).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await events.next() }
        #expect(error?.statusCode == (status == 401 ? 401 : nil))
        #expect(error?.response?.body == Data("Sign in".utf8))
        #expect(error?.response?.statusCode == status)
        let finding = "the body is no event stream (its content type is \"text/html\")"
        #expect("\(error, default: "none")".contains(finding) == (status == 200))
        #expect(try await events.next() == nil)
        #expect(server.requests.count == 1)
    }

    @Test("Leaving the loop ends the connection, and so does cancelling", arguments: [true, false])
    func leaving(isCancelled: Bool) async throws {
        let server = try LoopbackServer(
            .stalled(after: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n"))
        let source = events(server)
        let received = Monitor(0)
        let running = Task {
            for try await _ in source {
                received.withLock { $0 += 1 }
                if !isCancelled { break }
            }
        }
        try await received.value { $0 == 1 }
        if isCancelled { running.cancel() }
        let result = await running.result
        if isCancelled {
            #expect(throws: NetworkError.self) { try result.get() }
        } else {
            try result.get()
        }
        try await server.connectionsClosed()
        #expect(waits.value.isEmpty)
    }

    @Test("They have the token, and a new one when they connect again")
    func token() async throws {
        let server = try LoopbackServer.inTurn(
            .ok("retry: 1\ndata: a\n\n", headers: eventStream), .status(401),
            .ok("data: b\n\n", headers: eventStream), .status(204))
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        #expect(try await data(events(server, Endpoint(.get, ""), token)) == ["a", "b"])
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 0", "Bearer 0", "Bearer 1", "Bearer 1"])
    }

    @Test("What is no event stream is kept as far as it arrives, also if it has no end")
    func endless() async throws {
        let server = try LoopbackServer(
            .stalled(after: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\ndata: none\n\n"))
        let error = await #expect(throws: NetworkError.self) { try await data(events(server)) }
        guard case .decodingError(_, let response)? = error else { return #expect(Bool(false)) }
        #expect(response?.body == Data("data: none\n\n".utf8))
        #expect(response?.header("Content-Type") == "text/html")
        #expect("\(error, default: "none")".contains("the body is no event stream"))
    }

    @Test("A busy server is asked again once it was there, and not at first", arguments: [429, 502, 503, 504])
    func busy(_ status: Int) async throws {
        let server = try LoopbackServer.inTurn(
            .ok("retry: 200\ndata: a\n\n", headers: eventStream), .status(status, headers: ["Retry-After": "7"]),
            .status(status), .ok("data: b\n\n", headers: eventStream), .status(500))
        var received: [String] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await event in events(server) { received.append(event.data) }
        }
        #expect(error?.statusCode == 500)
        #expect(received == ["a", "b"])
        #expect(waits.value == [0.2, 7, 0.8, 0.2])
        let busy = try LoopbackServer.inTurn(.status(status), .status(204))
        let first = await #expect(throws: NetworkError.self) { try await data(events(busy)) }
        #expect(first?.statusCode == status)
        #expect(busy.requests.count == 1)
    }

    @Test("A server that asks for a long wait gets it")
    func longWait() async throws {
        let server = try LoopbackServer.inTurn(
            .ok("retry: 200\ndata: a\n\n", headers: eventStream), .status(503, headers: ["Retry-After": "3600"]),
            .status(204))
        #expect(try await data(events(server)) == ["a"])
        #expect(waits.value == [0.2, 3_600])
    }

    @Test("A first connection that cannot be made, or is lost, is made again", arguments: [true, false])
    func firstConnection(isRefused: Bool) async throws {
        let server = try LoopbackServer.inTurn(.closed, .ok("data: a\n\n", headers: eventStream), .status(204))
        let attempts = Monitor(0)
        // Nobody listens there.
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let adapter = RequestAdapter { request in
            let isFirst = attempts.withLock { count in
                count += 1
                return count == 1
            }
            if isRefused, isFirst { request.url = url }
        }
        if isRefused { _ = await session.dataResult(from: server.url()) }
        #expect(try await data(events(server, Endpoint(.get, ""), adapter)) == ["a"])
        #expect(waits.value == [3, 3])
    }

    @Test("Cancelling ends the wait for another connection")
    func cancelledWait() async throws {
        let server = try LoopbackServer(.ok("data: a\n\n", headers: eventStream))
        let isWaiting = Monitor(false)
        let client = APIClient(baseURL: server.url(), session: session)
        let source = client.events(for: Endpoint(.get, ""), random: \.lowerBound) { _ in
            isWaiting.withLock { $0 = true }
            try await Task.sleep(nanoseconds: 600_000_000_000)
        }
        let running = Task { try await data(source) }
        try await isWaiting.value { $0 }
        running.cancel()
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        #expect(error?.isCancelled == true)
        #expect(server.requests.count == 1)
    }

    @Test("The status codes and the header fields are those of the endpoint")
    func endpoint() async throws {
        let server = try LoopbackServer.inTurn(
            .status(404, "data: a\n\n", headers: eventStream), .status(204), .ok("data: b\n\n", headers: eventStream))
        let endpoint = Endpoint(.post, "", headers: ["accept": "text/event-stream; v=2"], accepting: [404])
        let headers = ["Accept": "application/json"]
        #expect(try await data(events(server, endpoint, headers: headers)) == ["a"])
        let error = await #expect(throws: NetworkError.self) { try await data(events(server, endpoint)) }
        #expect(error?.statusCode == 200)
        #expect(server.requests.allSatisfy { $0.method == "POST" })
        #expect(server.requests.allSatisfy { $0.header("Accept") == "text/event-stream; v=2" })
    }

    @Test("A stream has a longer timeout, unless the endpoint or the session has one", arguments: [nil, 60, 7])
    func timeout(_ seconds: TimeInterval?) async throws {
        let server = try LoopbackServer(.status(204))
        let seen = Monitor<[TimeInterval]>([])
        let witness = RequestAdapter { request in seen.withLock { $0.append(request.timeoutInterval) } }
        var endpoint = Endpoint(.get, "", decoder: .string())
        if let seconds { endpoint = endpoint.configured { $0.timeoutInterval = seconds } }
        let configuration = URLSessionConfiguration.ephemeral
        var client = APIClient(
            baseURL: server.url(), session: URLSession(configuration: configuration), middleware: [witness])
        for try await _ in client.events(for: endpoint) {}
        for try await _ in client.values(for: endpoint) {}
        _ = await client.result(for: endpoint)
        configuration.timeoutIntervalForRequest = 9
        client.session = URLSession(configuration: configuration)
        for try await _ in client.values(for: endpoint) {}
        let expected: [TimeInterval] = [300, 300, 60, 60].map { seconds ?? $0 }
        #expect(seen.value == expected)
    }
}
