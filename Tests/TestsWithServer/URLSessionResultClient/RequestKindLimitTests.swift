import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

/// Each way to send an endpoint, joined with equal ones and in line for a place.
@Suite(.inTurn)
struct RequestKindLimitTests {
    private let session = URLSession(configuration: .forTests)
    private let limit = RequestLimit(atOnce: 1)
    private let deduplication = Deduplication(methods: [.get, .put])

    @Test("A refused token and a busy server cost four of them one place at a time", arguments: ClientRequest.all)
    func joinedAndLimited(_ request: ClientRequest) async throws {
        let crowd = Monitor((present: 0, most: 0, good: 0))
        let server = try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer good"
            let isFirst = crowd.withLock { crowd in
                crowd.present += 1
                crowd.most = max(crowd.most, crowd.present)
                crowd.good += isGood ? 1 : 0
                return crowd.good == 1
            }
            // The body ends after the last one.
            defer { crowd.withLock { $0.present -= 1 } }
            try (isGood ? isFirst ? .status(503) : LoopbackServer.Response.done : .status(401))
                .play(request, connection)
        }
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        let client = request.client(
            of: server, in: session,
            with: [Deadline(seconds: 600), Retry.patient, token, deduplication, limit, RequestLog { _ in }])
        try await withThrowingTaskGroup { group in
            for _ in 1...4 { group.addTask { try await request.kind.text(client).get() } }
            for try await text in group { #expect(text == RequestKind.body) }
        }
        #expect(crowd.value.most == 1)
    }

    @Test("It goes on when an equal one is cancelled", arguments: ClientRequest.all)
    func cancelledWhileJoined(_ request: ClientRequest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            gate.wait()
            try LoopbackServer.Response.done.play(request, connection)
        }
        let client = request.client(
            of: server, in: session,
            with: [Deadline(seconds: 600), Retry.patient, deduplication, RequestLimit(atOnce: 2)])
        let calls = (0..<2).map { _ in Task { await request.kind.text(client) } }
        if request.kind.isReadIntoMemory, ![.file, .form].contains(request.kind) {
            while deduplication.calls.waiterCount < 2 { try await letOthersRun() }
        } else {
            try await server.requests(atLeast: 2)
        }
        calls[0].cancel()
        #expect(await calls[0].value.error?.isCancelled == true)
        gate.open()
        #expect(try await calls[1].value.get() == RequestKind.body)
        #expect(deduplication.calls.waiterCount == 0)
    }

    @Test("It leaves the line when it is cancelled, and is not sent", arguments: ClientRequest.all)
    func cancelledInLine(_ request: ClientRequest) async throws {
        let server = try HoldingServer()
        let client = request.client(of: server.server, in: session, with: [Retry.patient, deduplication, limit])
        let held = try await server.hold(by: client)
        let running = Task { await request.kind.text(client) }
        try await waiters { $0 == 1 }
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
        // What is joined ends after those who wait for it.
        try await waiters { $0 == 0 }
        withExtendedLifetime(held) {}
        server.gate.open()
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        #expect(server.tokens.count == 2)
    }

    // Events connect again after a timeout.
    @Test("A deadline counts its wait in line", arguments: ClientRequest.all.filter { $0.kind != .events })
    func deadlineInLine(_ request: ClientRequest) async throws {
        let server = try HoldingServer()
        let client = request.client(of: server.server, in: session, with: [limit])
        let held = try await server.hold(by: client)
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { _ in try await waiters { $0 == 1 } }
        let hasty = request.client(of: server.server, in: session, with: [deadline, limit])
        #expect(await request.kind.text(hasty).error?.urlError?.code == .timedOut)
        withExtendedLifetime(held) {}
        server.gate.open()
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        #expect(server.tokens.count == 2)
    }

    @Test(
        "It has the token of the user who sent it, though another one signs in while it waits",
        arguments: ClientRequest.all)
    func otherUserInLine(_ request: ClientRequest) async throws {
        let server = try HoldingServer()
        let token = TokenAuthentication("a", for: server.server.url())
        let client = request.client(of: server.server, in: session, with: [token, deduplication, limit])
        let held = try await server.hold(by: client)
        let running = Task { await request.kind.text(client) }
        try await waiters { $0 == 1 }
        token.signOut()
        token.signIn("b")
        let other = Task { await request.kind.text(client) }
        try await waiters { $0 == 2 }
        withExtendedLifetime(held) {}
        server.gate.open()
        #expect(try await running.value.get() == RequestKind.body)
        #expect(try await other.value.get() == RequestKind.body)
        #expect(server.tokens == ["Bearer a", "Bearer a", "Bearer b"])
    }

    /// Waits for a number of requests in line.
    private func waiters(_ isRight: (Int) -> Bool) async throws {
        while !isRight(limit.places.waiterCount) { try await letOthersRun() }
    }
}

/// Answers at once, but `/held` only in part until the gate is open.
private struct HoldingServer {
    let server: LoopbackServer
    let gate = Gate()

    var tokens: [String?] { server.requests.map { $0.header("Authorization") } }

    init() throws {
        server = try LoopbackServer { [gate] request, connection in
            guard request.path == "/held" else { return try LoopbackServer.Response.done.play(request, connection) }
            try connection.sendHead(200, contentLength: 1)
            gate.wait()
            try connection.send("1")
        }
    }

    /// A stream that keeps a place until the gate is open.
    func hold(by client: APIClient) async throws -> NetworkResponse<ResponseBytes> {
        try await client.bytesResult(for: Endpoint(.get, "held")).get()
    }
}
