#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// How many connections many requests at once have.
@Suite(.inTurn)
struct SharedConnectionTests {
    /// A server that answers when so many requests have come, with what nginx says of their connections.
    private static func server(
        answeringAfter count: Int, over transport: LoopbackServer.Transport = .tcp
    ) throws -> LoopbackServer {
        let arrived = Monitor(0)
        return try LoopbackServer(over: transport) { request, connection in
            arrived.withLock { $0 += 1 }
            arrived.wait { $0 >= count }
            try connection.respond(body: request.header("X-Connection") ?? "")
        }
    }

    private static func run(_ count: Int, by form: APIForm, to url: URL) async throws {
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: url, method: form.uploads ? .put : .get)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { _ = try await form.run(session, request).get() } }
            try await group.waitForAll()
        }
    }

    @Test(
        "100 requests at once share one connection of HTTP/2, and none waits for the answer to another",
        .enabled(if: TrustedServer.areRunning && Curl.loaded?.multiplexes == true), arguments: APIForm.some)
    func multiplexed(_ form: APIForm) async throws {
        let server = try Self.server(answeringAfter: 100)
        try await Self.run(100, by: form, to: TrustedServer.http2.url("/loopback/\(server.port)/"))
        #expect(Set(server.requests.map { $0.header("X-Connection") }).count == 1)
    }

    @Test(
        "Requests over HTTP/1.1 have connections of their own, and none waits for the answer to another",
        arguments: LoopbackServer.Transport.trusted, APIForm.some)
    func separate(_ transport: LoopbackServer.Transport, _ form: APIForm) async throws {
        let count = URLSessionConfiguration.forTests.httpMaximumConnectionsPerHost
        let server = try Self.server(answeringAfter: count, over: transport)
        try await Self.run(count, by: form, to: server.url())
        #expect(server.connectionCounts.accepted == count)
    }

    @Test(
        "A connection that leads nowhere holds up no other request",
        .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."), arguments: APIForm.some)
    func stuck(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("body"), over: .tls(.valid))
        let listener = try Socket.listening()
        let port = server.port
        Thread.detachNewThread {
            // The first connection is accepted, and gets no answer.
            let stuck = try? listener.accept()
            guard let next = try? listener.accept(), let end = try? Socket.connected(to: port) else { return }
            Thread.detachNewThread { end.passBytes(on: next) }
            next.passBytes(on: end)
            end.shutDown()
            stuck?.close()
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port())/"))
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: url, method: form.uploads ? .put : .get)
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<2 { group.addTask { try await form.run(session, request).get() } }
            defer { group.cancelAll() }
            return try await group.next()
        }
        #expect(bodies == Data("body".utf8))
        session.invalidateAndCancel()
    }

    /// A request begins when the one before has arrived, and those before it are answered last.
    @Test(
        "Each request gets its own response from a server that speaks HTTP/1.1 on one connection and HTTP/2 on others",
        .enabled(if: TrustedServer.areRunning), arguments: APIForm.some)
    func ofBothProtocols(_ form: APIForm) async throws {
        let isLast = Gate()
        let server = try LoopbackServer { request, connection in
            if request.path != "/2" { isLast.wait() }
            try connection.respond(body: request.path + String(decoding: request.body, as: UTF8.self))
        }
        let http1 = try #require(TrustedServer.http1.port)
        let http2 = try #require(TrustedServer.http2.port)
        let relay = try Relay(to: [http1, http2, http2, http2])
        let session = URLSession(configuration: .forTests)
        var tasks: [Task<DataResult, Never>] = []
        for index in 0..<3 {
            let url = try #require(URL(string: "https://localhost:\(relay.port)/loopback/\(server.port)/\(index)"))
            let request = URLRequest(url: url, method: form.uploads ? .post : .get)
            tasks.append(Task { await form.run(session, request) })
            try await soon { try await server.requests(atLeast: index + 1) }
        }
        isLast.open()
        let body = form.uploads ? String(decoding: APIForm.uploadedBody, as: UTF8.self) : ""
        for (index, task) in tasks.enumerated() {
            #expect(String(decoding: try await task.value.get(), as: UTF8.self) == "/\(index)\(body)")
        }
        session.invalidateAndCancel()
    }

    /// A newer libcurl says that it cannot be read.
    @Test(
        "No request gets the response to another from a server that claims HTTP/2 in the clear",
        arguments: APIForm.some)
    func claimed(_ form: APIForm) async throws {
        let isLast = Gate()
        let server = try LoopbackServer { request, connection in
            if request.path == "/1" { isLast.wait() }
            try connection.send("HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\n\(request.path)")
        }
        let session = URLSession(configuration: .forTests)
        var tasks: [Task<DataResult, Never>] = []
        for index in 0..<3 {
            let request = URLRequest(url: server.url("/\(index)"), method: form.uploads ? .post : .get)
            tasks.append(Task { await form.run(session, request) })
            try await soon { try await server.requests(atLeast: index + 1) }
            if index == 0 { _ = await tasks[0].value }
        }
        isLast.open()
        for (index, task) in tasks.enumerated() {
            let result = await task.value
            let isUnreadable = result.error?.urlError?.code == .cannotParseResponse
            #expect((try? result.get()) == Data("/\(index)".utf8) || isUnreadable, "\(result)")
        }
        session.invalidateAndCancel()
    }

    @Test(
        "Each of many requests gets its own response, if it is not cancelled, from a server that speaks both protocols",
        .enabled(if: TrustedServer.areRunning), arguments: APIForm.some, [false, true])
    func manyOfBothProtocols(_ form: APIForm, answersDigest: Bool) async throws {
        let server = try LoopbackServer { [digest = DigestServer()] request, connection in
            let isChallenged = answersDigest && request.path.hasSuffix("0")
            let body = Data((request.path + String(decoding: request.body, as: UTF8.self)).utf8)
            let response = LoopbackServer.Response.ok(body)
            try (isChallenged ? digest.response(ending: response) : response).play(request, connection)
        }
        let relay = try Relay(to: TrustedServer.valid.map { try #require($0.port) })
        let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
        let body = form.uploads ? String(decoding: APIForm.uploadedBody, as: UTF8.self) : ""
        let origin = "https://localhost:\(relay.port)/loopback/\(server.port)"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                group.addTask {
                    for round in 0..<8 {
                        let path = "/\(index)/\(round % 4)"
                        let url = try #require(URL(string: origin + path))
                        let request = URLRequest(url: url, method: form.uploads ? .post : .get)
                        let task = Task { await form.run(session, request) }
                        if (index + round).isMultiple(of: 5) { task.cancel() }
                        let result = await task.value
                        if result.error?.isCancelled == true { continue }
                        #expect((try? result.get()) == Data("\(path)\(body)".utf8), "\(path): \(result)")
                    }
                }
            }
            try await group.waitForAll()
        }
        session.invalidateAndCancel()
    }

    @Test(
        "A challenge of Digest is answered, while other requests to the server come, go and are cancelled",
        .enabled(if: TrustedServer.areRunning), arguments: APIForm.some)
    func digest(_ form: APIForm) async throws {
        let isLast = Gate()
        let refusals = Monitor(0)
        let server = try LoopbackServer { [digest = DigestServer()] request, connection in
            if request.path != "/challenged" {
                if request.path != "/last" { isLast.wait() }
                try connection.respond(body: request.path)
            } else if digest.isAnswered(by: request) {
                try connection.respond(body: request.path)
            } else {
                let count = refusals.withLock { count in
                    count += 1
                    return count
                }
                // The second request is that of libcurl, which expects the challenge.
                if count == 2 { isLast.wait() }
                try digest.refusal().play(request, connection)
            }
        }
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session()
        let origin = try TrustedServer.http2.url("/loopback/\(server.port)").absoluteString
        var tasks: [Task<DataResult, Never>] = []
        for path in ["/challenged", "/cancelled", "/other", "/last"] {
            let count = server.requests.count
            let request = URLRequest(url: try #require(URL(string: origin + path)), method: form.uploads ? .post : .get)
            tasks.append(Task { await form.run(session, request) })
            try await soon { try await server.requests(atLeast: count + (path == "/challenged" ? 2 : 1)) }
            if path == "/cancelled" {
                tasks.last?.cancel()
                _ = await tasks.popLast()?.value
            }
        }
        isLast.open()
        for (path, task) in zip(["/challenged", "/other", "/last"], tasks) {
            #expect(try await task.value.get() == Data(path.utf8))
        }
        #expect(delegate.challenges.value == 1)
        session.invalidateAndCancel()
    }
}

#endif
