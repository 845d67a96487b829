import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

@Suite(.inTurn)
struct RequestLimitTests {
    private let session = URLSession(configuration: .forTests)

    private func client(_ server: LoopbackServer, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(baseURL: server.url(), session: session, middleware: middleware)
    }

    private struct Crowd {
        var present = 0
        var most = 0
    }

    @Test("No more requests than that are under way, whatever they are", arguments: RequestKind.allCases, [1, 3])
    func atOnce(_ kind: RequestKind, limit: Int) async throws {
        let crowd = Monitor(Crowd())
        let server = try LoopbackServer { request, connection in
            crowd.withLock { crowd in
                crowd.present += 1
                crowd.most = max(crowd.most, crowd.present)
            }
            // The body ends after the last one.
            defer { crowd.withLock { $0.present -= 1 } }
            try LoopbackServer.Response.done.play(request, connection)
        }
        let client = client(server, RequestLimit(atOnce: limit))
        try await withThrowingTaskGroup { group in
            for _ in 1...12 { group.addTask { try await kind.text(client).get() } }
            for try await text in group { #expect(text == RequestKind.body) }
        }
        #expect(crowd.value.most <= limit)
    }

    enum StreamEnd: CaseIterable, Sendable {
        case read, notRead, cutOff, leftEarly, dropped, cancelled, tooLong

        /// How many bytes the server announces. It sends ten.
        var length: Int { [.read, .notRead].contains(self) ? 10 : 20 }
    }

    @Test("A stream gives its place back at the end of its body, whatever ends it", arguments: StreamEnd.allCases)
    func stream(_ end: StreamEnd) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.path == "/stream" else { return try LoopbackServer.Response.done.play(request, connection) }
            try connection.sendHead(200, contentLength: end.length)
            try connection.send("0123456789")
            if end == .cutOff { connection.close() }
        }
        let client = client(server, RequestLimit(atOnce: 1))
        let kept = try await response(of: client, read: end)
        #expect(try await client.result(for: Endpoint(.get, "next", decoder: .string())).get() == RequestKind.body)
        withExtendedLifetime(kept) {}
    }

    /// - Returns: The response, unless it is dropped. It is a function's own: nothing else keeps it.
    private func response(
        of client: APIClient, read end: StreamEnd
    ) async throws -> NetworkResponse<ResponseBytes>? {
        let response = try await client.bytesResult(for: Endpoint(.get, "stream", decoder: .data)).get()
        let body = response.body
        switch end {
        case .read: #expect(try await body.collect(upTo: 100).count == 10)
        case .notRead: break
        case .dropped: return nil
        case .cutOff: _ = try? await body.collect(upTo: 100)
        case .leftEarly: for try await _ in body { break }
        case .cancelled:
            let reading = Task { try await body.collect(upTo: 100) }
            reading.cancel()
            await #expect(throws: NetworkError.self) { try await reading.value }
        case .tooLong: await #expect(throws: NetworkError.self) { try await body.collect(upTo: 5) }
        }
        return response
    }

    @Test("A call that is cancelled while it waits is not sent, and its place in line is the next one's")
    func cancellation() async throws {
        let gate = Gate()
        let server = try server(gate)
        let client = client(server, RequestLimit(atOnce: 1))
        async let first = client.result(for: Endpoint(.get, "first", decoder: .data))
        try await server.requests(atLeast: 1)
        let second = Task { await client.result(for: Endpoint(.get, "second", decoder: .data)) }
        let third = Task { await client.result(for: Endpoint(.get, "third", decoder: .data)) }
        second.cancel()
        #expect(await second.value.error?.isCancelled == true)
        gate.open()
        _ = try await first.get()
        _ = try await third.value.get()
        #expect(server.requests.map(\.path) == ["/first", "/third"])
    }

    /// A server that answers each request when the gate is open.
    private func server(_ gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            gate.wait()
            try LoopbackServer.Response.done.play(request, connection)
        }
    }

    @Test("A deadline around the limit counts the wait, too")
    func deadline() async throws {
        let gate = Gate()
        let server = try server(gate)
        let limit = RequestLimit(atOnce: 1)
        async let first = client(server, limit).result(for: Endpoint(.get, "first", decoder: .data))
        try await server.requests(atLeast: 1)
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { _ in }
        let second = await client(server, deadline, limit).result(for: Endpoint(.get, "second", decoder: .data))
        #expect(second.error?.urlError?.code == .timedOut)
        gate.open()
        _ = try await first.get()
        #expect(server.requests.map(\.path) == ["/first"])
    }

    @Test("A refresh that a request with a place waits for needs none", arguments: [false, true])
    func refresh(isOutermost: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            let isAllowed = request.path == "/refresh" || request.header("Authorization") == "Bearer good"
            try (isAllowed ? LoopbackServer.Response.done : .status(401)).play(request, connection)
        }
        let limit = RequestLimit(atOnce: 2)
        let refreshing = Monitor<APIClient?>(nil)
        let token = TokenAuthentication("bad", for: server.url()) { _ in
            guard let client = refreshing.value else { return .failure(.noData) }
            return await client.result(for: Endpoint(.post, "refresh", decoder: .data)).map { _ in "good" }
        }
        let client = isOutermost ? client(server, limit, token) : client(server, token, limit)
        refreshing.withLock { $0 = client }
        try await withThrowingTaskGroup { group in
            for _ in 1...8 { group.addTask { try await RequestKind.result.text(client).get() } }
            for try await text in group { #expect(text == RequestKind.body) }
        }
        #expect(server.requests.count { $0.path == "/refresh" } == 1)
    }

    @Test("Requests that are joined need one place")
    func joined() async throws {
        let server = try LoopbackServer(.done)
        let client = client(server, Deduplication(), RequestLimit(atOnce: 1))
        try await withThrowingTaskGroup { group in
            for _ in 1...20 { group.addTask { try await RequestKind.result.text(client).get() } }
            for try await text in group { #expect(text == RequestKind.body) }
        }
        #expect(server.connectionCounts.mostAtOnce == 1)
    }

    @Test("A limit of less than one is one", arguments: [0, -1])
    func least(limit: Int) async throws {
        let server = try LoopbackServer(.done)
        let client = client(server, RequestLimit(atOnce: limit))
        #expect(try await RequestKind.result.text(client).get() == RequestKind.body)
    }
}
