import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

/// What a request of a client meets.
enum Crossing: CaseIterable, Sendable {
    case retry, refresh, ownAuthorization, decision, retryAroundToken, tokenAroundRetry, deadline, mock, stub, redirect
    case otherUserInRetry
    case cancelledInRetry, cancelledInRefresh, cancelledBeforeHead, cancelledInBody
}

@Suite("Each way to send an endpoint, with all that it may meet", .inTurn)
struct CrossingsTests {
    private let session = URLSession(configuration: .forTests)
    private let isWaiting = Monitor(false)
    private var maximumBodySize: Int?

    /// The cells without a meaning.
    private func isMeaningless(_ kind: RequestKind, _ crossing: Crossing) -> Bool {
        switch (kind, crossing) {
        // Events connect again after a timeout, and after a body that breaks off.
        case (.events, .deadline): true
        default: false
        }
    }

    @Test(
        "A body that is read up to a maximum does the same", arguments: RequestKind.allCases.filter(\.isReadIntoMemory),
        Crossing.allCases)
    mutating func cellWithMaximum(_ kind: RequestKind, _ crossing: Crossing) async throws {
        maximumBodySize = 64 << 20
        try await cell(kind, crossing)
    }

    @Test(
        "A request gets its response through it, or ends as it should", arguments: RequestKind.allCases,
        Crossing.allCases)
    func cell(_ kind: RequestKind, _ crossing: Crossing) async throws {
        guard !isMeaningless(kind, crossing) else { return }
        switch crossing {
        case .retry: try await retry(kind)
        case .refresh: try await refresh(kind)
        case .ownAuthorization: try await ownAuthorization(kind)
        case .decision: try await decision(kind)
        case .retryAroundToken: try await both(kind, [503, 401]) { [$0, $1] }
        case .tokenAroundRetry: try await both(kind, [401, 503]) { [$1, $0] }
        case .deadline: try await deadline(kind)
        case .mock: try await mock(kind)
        case .stub: try await stub(kind)
        case .redirect: try await redirect(kind)
        case .otherUserInRetry: try await otherUserInRetry(kind)
        case .cancelledInRetry: try await cancelledInRetry(kind)
        case .cancelledInRefresh: try await cancelledInRefresh(kind)
        case .cancelledBeforeHead: try await cancelledBeforeHead(kind)
        case .cancelledInBody: try await cancelledInBody(kind)
        }
    }

    private func client(
        _ server: LoopbackServer, _ middleware: [any RequestMiddleware], headers: [String: String] = [:]
    ) -> APIClient {
        APIClient(
            baseURL: server.url(), session: session, headers: headers, middleware: middleware,
            maximumBodySize: maximumBodySize)
    }

    private var patientRetry: Retry {
        var retry = Retry()
        retry.sleep = { _ in }
        return retry
    }

    private func expectCancellation(
        of kind: RequestKind, by client: APIClient, after event: @Sendable () async throws -> Void
    ) async throws {
        let running = Task { await kind.text(client) }
        try await event()
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
    }

    private func retry(_ kind: RequestKind) async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(429), .done)
        #expect(try await kind.text(client(server, [patientRetry])).get() == RequestKind.body)
        #expect(server.requests.count == 3)
        #expect(Set(server.requests.map(\.body.count)).count == 1)
    }

    private func refresh(_ kind: RequestKind) async throws {
        let server = try LoopbackServer.inTurn(.status(401), .done)
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        #expect(try await kind.text(client(server, [token])).get() == RequestKind.body)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer bad", "Bearer good"])
        #expect(Set(server.requests.map(\.body.count)).count == 1)
    }

    /// With a token in the query that is refused by a 403.
    private func ownAuthorization(_ kind: RequestKind) async throws {
        let server = try LoopbackServer.inTurn(.status(403), .status(403), .done, .status(403), .status(403))
        let token = TokenAuthentication(
            "bad", for: server.url(), authorize: { $1.url = URL(string: "?key=\($0.value)", relativeTo: $1.url) },
            refresh: { _ in .success("good") }, isRefusal: { $0.statusCode == 403 })
        // It has the URL with the key, and is not asked about refusals.
        let log = RequestLog(showingSecrets: true)
        let client = client(server, [token, log])
        #expect(await kind.text(client).error?.reasonForSignIn?.statusCode == 403)
        #expect(try await kind.text(client).get() == RequestKind.body)
        #expect(server.requests.map(\.target) == ["/a?key=bad", "/a?key=good", "/a?key=good"])
        #expect(Set(server.requests.map(\.body.count)).count == 1)
    }

    /// A decision that refreshes the token by hand, and knows the request.
    private func decision(_ kind: RequestKind) async throws {
        let server = try LoopbackServer.inTurn(.status(418), .status(503), .done)
        let token = TokenAuthentication("a", for: server.url())
        let asked = Monitor<[String]>([])
        var retry = Retry { attempt in
            let field = attempt.request.value(forHTTPHeaderField: "Authorization") ?? "-"
            asked.withLock { $0.append("\(attempt.number) \(attempt.error.statusCode ?? 0) \(field)") }
            guard attempt.error.statusCode == 418 else { return .usual }
            await Task.yield()
            token.signIn("b")
            return .after(seconds: 1)
        }
        retry.sleep = { _ in }
        #expect(try await kind.text(client(server, [retry, token])).get() == RequestKind.body)
        #expect(asked.value == ["1 418 -", "2 503 -"])
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer b", "Bearer b"])
    }

    private func both(
        _ kind: RequestKind, _ statuses: [Int],
        _ order: (any RequestMiddleware, any RequestMiddleware) -> [any RequestMiddleware]
    ) async throws {
        let server = try LoopbackServer.inTurn(.status(statuses[0]), .status(statuses[1]), .done)
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        let client = client(server, order(patientRetry, token))
        #expect(try await kind.text(client).get() == RequestKind.body)
        let tokens = statuses[0] == 401 ? ["bad", "good", "good"] : ["bad", "bad", "good"]
        #expect(server.requests.map { $0.header("Authorization") } == tokens.map { "Bearer \($0)" })
    }

    private func deadline(_ kind: RequestKind) async throws {
        let server = try LoopbackServer(.silent)
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { _ in try await server.requests(atLeast: 1) }
        #expect(await kind.text(client(server, [deadline])).error?.urlError?.code == .timedOut)
    }

    private func mock(_ kind: RequestKind) async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [DoneProtocol.self]
        let url = try #require(URL(string: "http://mock.test"))
        let token = TokenAuthentication("bad", for: url) { _ in .success("good") }
        let client = APIClient(
            baseURL: url, session: URLSession(configuration: configuration), middleware: [patientRetry, token],
            maximumBodySize: maximumBodySize)
        #expect(try await kind.text(client).get() == RequestKind.body)
    }

    private func stub(_ kind: RequestKind) async throws {
        let stub = SessionStub { request in
            guard request.value(forHTTPHeaderField: "Authorization") == "Bearer good" else {
                return .response(statusCode: 401)
            }
            return .response(headers: ["Content-Type": "text/event-stream"], body: Data(RequestKind.body.utf8))
        }
        let url = try #require(URL(string: "https://api.test"))
        let token = TokenAuthentication("bad", for: url) { _ in .success("good") }
        let client = APIClient(
            baseURL: url, session: stub.session, middleware: [patientRetry, token], maximumBodySize: maximumBodySize)
        #expect(try await kind.text(client).get() == RequestKind.body)
        #expect(stub.requests.count == 2)
    }

    private func redirect(_ kind: RequestKind) async throws {
        let other = try LoopbackServer(.done)
        let server = try LoopbackServer(.redirect(to: other.url("/b").absoluteString, status: 307))
        let token = TokenAuthentication("secret", for: server.url())
        let client = client(server, [token], headers: ["X-Key": "secret", "User-Agent": "albums"])
        #expect(try await kind.text(client).get() == RequestKind.body)
        let sent = try #require(server.requests.first)
        let redirected = try #require(other.requests.first)
        #expect(sent.header("Authorization") == "Bearer secret" && sent.header("X-Key") == "secret")
        #expect(redirected.header("Authorization") == nil && redirected.header("X-Key") == nil)
        #expect(redirected.header("User-Agent") == "albums")
        #expect(redirected.body == sent.body)
    }

    private func otherUserInRetry(_ kind: RequestKind) async throws {
        let server = try LoopbackServer.inTurn(.status(503), .done)
        let token = TokenAuthentication("a", for: server.url())
        var retry = Retry()
        retry.sleep = { _ in
            token.signOut()
            token.signIn("b")
        }
        let client = client(server, [retry, token])
        #expect(await kind.text(client).error?.urlError?.code == .userAuthenticationRequired)
        #expect(try await kind.text(client).get() == RequestKind.body)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer b"])
    }

    private func cancelledInRetry(_ kind: RequestKind) async throws {
        let server = try LoopbackServer(.status(503))
        var retry = Retry()
        retry.sleep = { [isWaiting] _ in
            isWaiting.withLock { $0 = true }
            try await Task.sleep(nanoseconds: 600_000_000_000)
        }
        try await expectCancellation(of: kind, by: client(server, [retry])) { try await isWaiting.value { $0 } }
        #expect(server.requests.count == 1)
    }

    private func cancelledInRefresh(_ kind: RequestKind) async throws {
        let server = try LoopbackServer(.status(401))
        let gate = SessionStub.Gate()
        let token = TokenAuthentication("bad", for: server.url()) { [isWaiting] _ in
            isWaiting.withLock { $0 = true }
            try? await gate.opened()
            return .success("good")
        }
        try await expectCancellation(of: kind, by: client(server, [token])) { try await isWaiting.value { $0 } }
        gate.open()
        #expect(server.requests.count == 1)
    }

    private func cancelledBeforeHead(_ kind: RequestKind) async throws {
        let server = try LoopbackServer(.silent)
        try await expectCancellation(of: kind, by: clientWithAll(server)) {
            _ = try await server.requests(atLeast: 1)
        }
        #expect(server.requests.count == 1)
    }

    private func cancelledInBody(_ kind: RequestKind) async throws {
        // More than the buffers between a server and a client have room for. Lines that begin with a colon are no events.
        let comments = Data((String(repeating: ":", count: 1_023) + "\n").utf8).repeated(1_024)
        let isBodyRead = Monitor(false)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Content-Type": "text/event-stream"], contentLength: 99 << 20)
            for _ in 0..<24 { try connection.send(comments) }
            isBodyRead.withLock { $0 = true }
            connection.waitForClientToClose()
        }
        try await expectCancellation(of: kind, by: clientWithAll(server)) { try await isBodyRead.value { $0 } }
        #expect(server.requests.count == 1)
    }

    private func clientWithAll(_ server: LoopbackServer) -> APIClient {
        let token = TokenAuthentication("good", for: server.url()) { _ in .success("better") }
        return client(server, [Deadline(seconds: 600), patientRetry, token, RequestLog { _ in }])
    }
}

extension Data {
    fileprivate func repeated(_ count: Int) -> Data {
        (0..<count).reduce(into: Data()) { data, _ in data.append(self) }
    }
}

/// Refuses the token "bad", and otherwise answers with the body of all kinds.
private final class DoneProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.test" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let isRefused = request.value(forHTTPHeaderField: "Authorization") == "Bearer bad"
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url, statusCode: isRefused ? 401 : 200, httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "text/event-stream"])
        else { return }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(RequestKind.body.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
