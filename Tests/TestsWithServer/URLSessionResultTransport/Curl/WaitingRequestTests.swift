#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// Requests that wait for a connection, because all that a host may have are busy.
///
/// Some versions of libcurl do not go on when a request is taken away.
@Suite(.inTurn)
struct WaitingRequestTests {
    /// How the request ends that the others wait for.
    enum End: CaseIterable, Sendable {
        case cancelled, timedOut
    }

    @Test(
        "When a request ends early, the next in line is sent", arguments: LoopbackServer.Transport.trusted,
        APIForm.some + [.decodedDataResult]
    )
    func next(_ transport: LoopbackServer.Transport, _ form: APIForm) async throws {
        for end in End.allCases {
            for connectionCount in [1, 6] {
                try await sendNext(by: form, over: transport, connectionCount, after: end)
            }
        }
    }

    private func sendNext(
        by form: APIForm, over transport: LoopbackServer.Transport, _ connectionCount: Int, after end: End
    ) async throws {
        let server = try LoopbackServer(["/hanging": .silent, "/next": .ok("abc")], over: transport)
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = connectionCount
        let session = URLSession(configuration: configuration)
        var hanging: [Task<DataResult, Never>] = []
        for index in 0..<connectionCount {
            var request = URLRequest(url: server.url("/hanging"), method: form.uploads ? .put : .get)
            if index == 0, end == .timedOut { request.timeoutInterval = 5 }
            hanging.append(Task { [request] in await form.run(session, request) })
            try await server.requests(atLeast: index + 1)
        }
        let waiting = (0..<3).map { _ in
            Task { await form.run(session, URLRequest(url: server.url("/next"), method: form.uploads ? .put : .get)) }
        }
        // On a busy machine, the timeout may come before.
        if end == .cancelled {
            try await areWaiting(in: session, count: connectionCount + waiting.count)
            hanging[0].cancel()
        }
        #expect(await hanging[0].value.error != nil)
        for request in waiting {
            #expect(try await request.value.get() == Data((form.givesBody ? "abc" : "").utf8))
        }
        hanging.forEach { $0.cancel() }
    }

    @Test(
        "A request that is cancelled while it waits is never sent, and the next in line is",
        arguments: LoopbackServer.Transport.trusted, APIForm.some + [.decodedDataResult]
    )
    func cancelled(_ transport: LoopbackServer.Transport, _ form: APIForm) async throws {
        let mayAnswer = Monitor(false)
        let server = try LoopbackServer(over: transport) { request, connection in
            if request.path == "/busy" { mayAnswer.wait { $0 } }
            try connection.respond(body: "abc")
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession(configuration: configuration)
        var requests: [Task<DataResult, Never>] = []
        for path in ["/busy", "/cancelled", "/next"] {
            let request = URLRequest(url: server.url(path), method: form.uploads ? .put : .get)
            requests.append(Task { await form.run(session, request) })
            try await areWaiting(in: session, count: requests.count)
        }
        requests[1].cancel()
        #expect(await requests[1].value.error?.isCancelled == true)
        mayAnswer.withLock { $0 = true }
        for request in [requests[0], requests[2]] {
            #expect(try await request.value.get() == Data((form.givesBody ? "abc" : "").utf8))
        }
        #expect(server.requests.map(\.path) == ["/busy", "/next"])
    }

    @Test("A request that is cancelled is not sent, though the loop has not ended it yet", arguments: APIForm.some)
    func cancelledBeforeSending(_ form: APIForm) async throws {
        let server = try LoopbackServer(.silent)
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        let requests = (0..<2).map { _ in Task { await form.run(session, request) } }
        try await areWaiting(in: session, count: 2)
        try await server.requests(atLeast: 1)
        // What the loop would do when libcurl is about to send the request.
        let loop = try EventLoop.running()
        let curl = try #require(Curl.loaded)
        let mayBeSent = await withCheckedContinuation { continuation in
            loop.perform {
                let loads = [false, true].flatMap { isForStreams in
                    let key = ConnectionsPool.Key(
                        owner: ObjectIdentifier(session), isForStreams: isForStreams, isForDigest: false)
                    return loop.connections(for: key, of: session, curl)?.loads.values.map { $0 } ?? []
                }
                requests.forEach { $0.cancel() }
                continuation.resume(returning: loads.map { $0.maySend() })
            }
        }
        #expect(mayBeSent == [false, false])
        for request in requests { #expect(await request.value.error?.isCancelled == true) }
        #expect(server.requests.count == 1)
    }

    @Test("When a stream is left, the next in line is sent", arguments: LoopbackServer.Transport.trusted)
    func left(_ transport: LoopbackServer.Transport) async throws {
        let server = try LoopbackServer(
            ["/left": .stalled(after: "HTTP/1.1 200 OK\r\n\r\n"), "/next": .ok("abc")], over: transport)
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession(configuration: configuration)
        var left: ResponseBytes? = try await session.bytesResult(from: server.url("/left")).get().body
        let waiting = Task { await session.bytesResult(from: server.url("/next")).collected() }
        try await areWaiting(in: session, count: 2)
        withExtendedLifetime(left) {}
        left = nil
        #expect(try await waiting.value.get() == Data("abc".utf8))
    }

    /// Waits until libcurl has the requests, and has seen that there is no connection for some of them.
    ///
    /// FoundationNetworking may crash if it is asked for the tasks of a session while others come and go.
    private func areWaiting(in session: URLSession, count: Int) async throws {
        let loop = try EventLoop.running()
        let curl = try #require(Curl.loaded)
        while await loadCount(of: session, curl, on: loop) < count { try await letOthersRun() }
        for _ in 0..<3 {
            await withCheckedContinuation { continuation in loop.perform { continuation.resume() } }
        }
    }

    private func loadCount(of session: URLSession, _ curl: Curl, on loop: EventLoop) async -> Int {
        await withCheckedContinuation { continuation in
            loop.perform {
                let counts = [false, true].map { isForStreams in
                    let key = ConnectionsPool.Key(
                        owner: ObjectIdentifier(session), isForStreams: isForStreams, isForDigest: false)
                    return loop.connections(for: key, of: session, curl)?.loads.count ?? 0
                }
                continuation.resume(returning: counts.reduce(0, +))
            }
        }
    }
}

#endif
