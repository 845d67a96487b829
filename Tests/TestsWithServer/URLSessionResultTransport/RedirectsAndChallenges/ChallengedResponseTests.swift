#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A 401 and the response that follows it. FoundationNetworking asks for a credential only when the body of the 401 is whole.
@Suite(.inTurn)
struct ChallengedResponseTests {
    /// How a request is sent: each gives its result as bytes.
    enum Form: String, CaseIterable, Sendable {
        case data, download, stream

        static let whole = [data, download]

        func run(_ request: URLRequest, in session: URLSession, accepting codes: Range<Int> = 200..<300) async
            -> DataResult
        {
            switch self {
            case .data: await session.dataResult(for: request, accepting: codes)
            case .download: await session.downloadResult(for: request, decoder: .bytes, accepting: codes)
            case .stream: await session.bytesResult(for: request, accepting: codes).collected()
            }
        }
    }

    /// Answers a 401 with a body, and a credential with `welcome`.
    private static func server(
        _ challenge: @escaping @Sendable (LoopbackServer.Connection) throws -> Void
    ) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            if request.header("Authorization") == nil {
                try challenge(connection)
            } else {
                try connection.respond(body: "welcome")
            }
        }
    }

    private static let head: KeyValuePairs = ["WWW-Authenticate": #"Basic realm="x""#]
    private static let size = 3 * 1024 * 1024

    private func request(_ server: LoopbackServer, timeout: TimeInterval = 60) -> URLRequest {
        var request = URLRequest(url: server.url())
        request.timeoutInterval = timeout
        return request
    }

    @Test("The answer to a challenge counts, whatever codes are accepted", arguments: Form.allCases, [1, 16])
    func answered(_ form: Form, count: Int) async throws {
        let server = try Self.server { try $0.respond(401, headers: Self.head, body: "who are you?") }
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session()
        await withTaskGroup { group in
            for codes in [200..<300, 200..<500] {
                for _ in 0..<count { group.addTask { await form.run(request(server), in: session, accepting: codes) } }
            }
            for await result in group { #expect("\(result)" == "success(7 bytes)") }
        }
        #expect(delegate.challenges.value == 2 * count)
    }

    @Test(
        "A credential that is always refused ends with the 401, after twenty attempts", arguments: Form.allCases,
        [(#"Basic realm="x""#, 1), (#"Digest realm="x", nonce="1", qop="auth""#, 2)])
    func alwaysRefused(_ form: Form, _ row: (challenge: String, requestsOfAttempt: Int)) async throws {
        let server = try LoopbackServer(.challenge(row.challenge, "no"))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session()
        defer { session.finishTasksAndInvalidate() }
        let error = await form.run(request(server), in: session).error
        guard case .serverError(401, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.body == Data("no".utf8))
        #expect(server.requests.count == 1 + 20 * row.requestsOfAttempt)
        #expect(delegate.challenges.value == 20)
    }

    @Test("The body of a challenge may be large where all of it is kept", arguments: Form.whole)
    func largeChallenge(_ form: Form) async throws {
        let server = try Self.server { try $0.respond(401, headers: Self.head, body: Data(count: Self.size)) }
        let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
        #expect(try await form.run(request(server), in: session).get() == Data("welcome".utf8))
    }

    @Test(
        "Only the body that is delivered counts as progress, however long that of a challenge was",
        arguments: Form.whole, [5_000, size])
    func progress(_ form: Form, challengeSize: Int) async throws {
        let server = try LoopbackServer { request, connection in
            if request.header("Authorization") == nil {
                try connection.respond(401, headers: Self.head, body: Data(count: challengeSize))
            } else {
                try connection.respond(body: Data(count: 100))
            }
        }
        let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
        let reports = RecordedProgress()
        let handler = reports.handler
        let result =
            switch form {
            case .download:
                await session.downloadResult(for: request(server), decoder: .bytes, progress: handler)
            default: await session.dataResult(for: request(server), progress: handler)
            }
        #expect(try result.get().count == 100)
        #expect(reports.all.allSatisfy { $0.completedBytes <= 100 })
        #expect(reports.all.last?.completedBytes == 100)
        #expect(reports.all.last?.totalBytes == 100)
    }

    @Test("A challenge that is accepted counts as progress once it is delivered", arguments: Form.whole)
    func progressOfChallenge(_ form: Form) async throws {
        let server = try Self.server { try $0.respond(401, headers: Self.head, body: Data(count: 5_000)) }
        let session = URLSession(configuration: .forTests)
        let reports = RecordedProgress()
        let handler = reports.handler
        let codes = 200..<500
        let result =
            switch form {
            case .download:
                await session.downloadResult(
                    for: request(server), decoder: .bytes, accepting: codes, progress: handler)
            default: await session.dataResult(for: request(server), accepting: codes, progress: handler)
            }
        #expect(try result.get().count == 5_000)
        #expect(reports.all.map(\.completedBytes) == [5_000])
        #expect(reports.all.map(\.totalBytes) == [5_000])
    }

    @Test("A challenge of which more comes than is held back is a response to a stream")
    func largeChallengeOfStream() async throws {
        let body = Data.blocks(18, ofSize: 64 * 1024)
        let server = try Self.server { try $0.respond(401, headers: Self.head, body: body) }
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let refused = await Form.stream.run(request(server), in: delegate.session())
        #expect(refused.error?.statusCode == 401)
        #expect(refused.error?.response?.body == body.prefix(1024 * 1024))
        // Nothing of it is lost, and nothing swapped.
        let accepted = await Form.stream.run(request(server), in: delegate.session(), accepting: 200..<500)
        #expect(try accepted.get() == body)
        #expect(delegate.challenges.value == 0)
    }

    @Test("A challenge that does not end times out where all of it is kept", arguments: Form.whole)
    func endlessChallenge(_ form: Form) async throws {
        let server = try Self.server { connection in
            try connection.sendHead(401, headers: Self.head, contentLength: 100)
            try connection.send("who are you?")
            connection.waitForClientToClose()
        }
        let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
        #expect(await form.run(request(server, timeout: 1), in: session).error?.urlError?.code == .timedOut)
        try await server.connectionsClosed()
    }

    @Test("A challenge that does not end is a response to a stream, and its connection is closed", arguments: [1, 16])
    func endlessChallengeOfStream(count: Int) async throws {
        let fields = Self.head.map { "\($0): \($1)\r\n" }.joined()
        let server = try Self.server { connection in
            // At once: such a body is awaited for two seconds.
            try connection.send("HTTP/1.1 401 No\r\n\(fields)Content-Length: 100\r\n\r\nwho are you?")
            connection.waitForClientToClose()
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = count
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session(with: configuration)
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await Form.stream.run(request(server), in: session) } }
            for await result in group {
                #expect(result.error?.statusCode == 401)
                #expect(result.error?.response?.body == Data("who are you?".utf8))
            }
        }
        try await server.connectionsClosed()
    }

    @Test("A stream that accepts a challenge which does not end goes on with it")
    func acceptedEndlessChallenge() async throws {
        let mayGoOn = Gate()
        let server = try Self.server { connection in
            try connection.sendHead(401, headers: Self.head, contentLength: 6)
            try connection.send("abc")
            mayGoOn.wait()
            try connection.send("def")
        }
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let response = try await delegate.session().bytesResult(for: request(server), accepting: 200..<500).get()
        #expect(response.statusCode == 401)
        mayGoOn.open()
        #expect(try await response.body.collect(upTo: 100) == Data("abcdef".utf8))
        #expect(delegate.challenges.value == 0)
    }

    @Test("A challenge that is cut off is an error response to a stream, with what came of it")
    func cutChallenge() async throws {
        let server = try Self.server { connection in
            try connection.sendHead(401, headers: Self.head, contentLength: 100)
            try connection.send("who are you?")
            connection.close()
        }
        let error = await Form.stream.run(request(server), in: URLSession(configuration: .forTests)).error
        #expect(error?.statusCode == 401)
        #expect(error?.response?.body == Data("who are you?".utf8))
    }

    @Test("A stream that is cancelled while a challenge is held back ends at once, and its connection is closed")
    func cancelled() async throws {
        let isSent = Gate()
        let server = try Self.server { connection in
            try connection.sendHead(401, headers: Self.head, contentLength: 100)
            try connection.send("who are you?")
            isSent.open()
            connection.waitForClientToClose()
        }
        let session = URLSession(configuration: .forTests)
        let task = Task { await session.bytesResult(for: request(server)) }
        try await isSent.opened()
        task.cancel()
        #expect(await task.value.error?.isCancelled == true)
        try await server.connectionsClosed()
    }

    @Test("A stream that has begun is not joined with another response, whatever head a protocol gives next")
    func secondHead() async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [Hesitant.self]
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let url = try #require(URL(string: "http://hesitant.test/200/401"))
        let result = await Form.stream.run(
            URLRequest(url: url), in: delegate.session(with: configuration), accepting: 200..<500)
        #expect((try? result.get()) == Data("welcomeno".utf8), "\(result)")
        #expect(delegate.challenges.value == 0)
    }

    @Test(
        "A protocol of the caller's may give a head before it redirects or asks, on any thread",
        arguments: [302, 401], [1, 16])
    func headOfMock(status: Int, count: Int) async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [Hesitant.self]
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session(with: configuration)
        let url = try #require(URL(string: "http://hesitant.test/\(status)"))
        await withTaskGroup { group in
            for codes in [200..<300, 200..<500] {
                for _ in 0..<count {
                    group.addTask { await Form.stream.run(URLRequest(url: url), in: session, accepting: codes) }
                }
            }
            for await result in group { #expect("\(result)" == "success(7 bytes)") }
        }
    }
}

/// Gives the head and a piece of a response, then redirects or asks for a credential.
private final class Hesitant: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "hesitant.test" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let shared = Shared(load: self)
        DispatchQueue.global().async { shared.load.answer() }
    }

    private func answer() {
        guard let url = request.url else { return }
        if url.pathComponents.count > 2 { give(200, "welcome") }
        let isKnown = request.value(forHTTPHeaderField: "Authorization") != nil
        let status = isKnown ? 200 : Int(url.lastPathComponent) ?? 500
        let response = give(status, status == 200 ? "welcome" : "no")
        if status == 302, let response, let next = URL(string: Self.next) {
            client?.urlProtocol(self, wasRedirectedTo: URLRequest(url: next), redirectResponse: response)
        } else {
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private static let next = "http://hesitant.test/200"

    @discardableResult private func give(_ status: Int, _ body: String) -> URLResponse? {
        let fields = status == 302 ? ["Location": Self.next] : ["WWW-Authenticate": #"Basic realm="x""#]
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        else { return nil }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(body.utf8))
        return response
    }

    override func stopLoading() {}

    /// Unchecked, because a mock has no locks.
    private struct Shared: @unchecked Sendable {
        let load: Hesitant
    }
}

#endif
