import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

/// Each way to send an endpoint, cancelled wherever it waits.
@Suite(.inTurn)
struct RequestKindCancellationTests {
    private let session = URLSession(configuration: .forTests)
    private let isWaiting = Monitor(false)
    private let limit = RequestLimit(atOnce: 1)

    @Test("It is cancelled while it waits to be sent again", arguments: ClientRequest.all)
    func cancelledInRetry(_ request: ClientRequest) async throws {
        let server = try LoopbackServer(.status(503))
        var retry = Retry()
        retry.sleep = { [isWaiting] _ in
            isWaiting.withLock { $0 = true }
            try await Task.sleep(nanoseconds: 600_000_000_000)
        }
        try await expectCancellation(of: request, by: request.client(of: server, in: session, with: [retry])) {
            try await isWaiting.value { $0 }
        }
        #expect(server.requests.count == 1)
    }

    @Test("It is cancelled while a token is refreshed", arguments: ClientRequest.all)
    func cancelledInRefresh(_ request: ClientRequest) async throws {
        let server = try LoopbackServer(.status(401))
        let gate = SessionStub.Gate()
        let token = TokenAuthentication("bad", for: server.url()) { [isWaiting] _ in
            isWaiting.withLock { $0 = true }
            try? await gate.opened()
            return .success("good")
        }
        try await expectCancellation(of: request, by: request.client(of: server, in: session, with: [token])) {
            try await isWaiting.value { $0 }
        }
        gate.open()
        #expect(server.requests.count == 1)
    }

    @Test("It is cancelled before the response begins", arguments: ClientRequest.all)
    func cancelledBeforeHead(_ request: ClientRequest) async throws {
        let server = try LoopbackServer(.silent)
        try await expectCancellation(of: request, by: clientWithAll(server, for: request)) {
            _ = try await server.requests(atLeast: 1)
        }
        #expect(server.requests.count == 1)
        try await expectFreePlace()
    }

    @Test("It is cancelled while the body arrives", arguments: ClientRequest.all)
    func cancelledInBody(_ request: ClientRequest) async throws {
        // More than the buffers between a server and a client have room for. Lines that begin with a colon are no events.
        let comments = Data((String(repeating: ":", count: 1_023) + "\n").utf8).repeated(1_024)
        let isBodyRead = Monitor(false)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Content-Type": "text/event-stream"], contentLength: 99 << 20)
            for _ in 0..<12 { try connection.send(comments) }
            isBodyRead.withLock { $0 = true }
            connection.waitForClientToClose()
        }
        try await expectCancellation(of: request, by: clientWithAll(server, for: request)) {
            try await isBodyRead.value { $0 }
        }
        #expect(server.requests.count == 1)
        try await expectFreePlace()
    }

    private func expectCancellation(
        of request: ClientRequest, by client: APIClient, after event: @Sendable () async throws -> Void
    ) async throws {
        let running = Task { await request.kind.text(client) }
        try await event()
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
    }

    private func clientWithAll(_ server: LoopbackServer, for request: ClientRequest) -> APIClient {
        let token = TokenAuthentication("good", for: server.url()) { _ in .success("better") }
        return request.client(
            of: server, in: session,
            with: [
                Deadline(seconds: 600), Retry.patient, token, Deduplication(methods: [.get, .put]), limit,
                RequestLog { _ in },
            ])
    }

    /// What is cancelled gives its place back.
    private func expectFreePlace() async throws {
        let server = try LoopbackServer(.done)
        let client = APIClient(baseURL: server.url(), session: session, middleware: [limit])
        #expect(try await RequestKind.result.text(client).get() == RequestKind.body)
    }
}

extension Data {
    fileprivate func repeated(_ count: Int) -> Data {
        (0..<count).reduce(into: Data()) { data, _ in data.append(self) }
    }
}
