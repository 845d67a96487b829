import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

/// Each way to send an endpoint, with each policy of a client.
@Suite(.inTurn)
struct RequestKindPolicyTests {
    private let session = URLSession(configuration: .forTests)

    @Test("It is sent again after an error response, with its body", arguments: ClientRequest.all)
    func retry(_ request: ClientRequest) async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(429), .done)
        #expect(
            try await request.kind.text(request.client(of: server, in: session, with: [Retry.patient])).get()
                == RequestKind.body)
        #expect(server.requests.count == 3)
        #expect(Set(server.requests.map(\.body.count)).count == 1)
    }

    @Test("It is sent again with another token, and with its body", arguments: ClientRequest.all)
    func refresh(_ request: ClientRequest) async throws {
        let server = try LoopbackServer.inTurn(.status(401), .done)
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        #expect(
            try await request.kind.text(request.client(of: server, in: session, with: [token])).get()
                == RequestKind.body)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer bad", "Bearer good"])
        #expect(Set(server.requests.map(\.body.count)).count == 1)
    }

    /// With a token in the query that is refused by a 403.
    @Test("It has a token in its query, which is refreshed after a 403", arguments: ClientRequest.all)
    func ownAuthorization(_ request: ClientRequest) async throws {
        let server = try LoopbackServer.inTurn(.status(403), .status(403), .done, .status(403), .status(403))
        let token = TokenAuthentication(
            "bad", for: server.url(), authorize: { $1.url = URL(string: "?key=\($0.value)", relativeTo: $1.url) },
            refresh: { _ in .success("good") }, isRefusal: { $0.statusCode == 403 })
        // It has the URL with the key, and is not asked about refusals.
        let log = RequestLog(showingSecrets: true)
        let client = request.client(of: server, in: session, with: [token, log])
        #expect(await request.kind.text(client).error?.reasonForSignIn?.statusCode == 403)
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        #expect(server.requests.map(\.target) == ["/a?key=bad", "/a?key=good", "/a?key=good"])
        #expect(Set(server.requests.map(\.body.count)).count == 1)
    }

    /// A decision that refreshes the token by hand, and knows the request.
    @Test("A decision signs in again, and knows the request", arguments: ClientRequest.all)
    func decision(_ request: ClientRequest) async throws {
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
        #expect(
            try await request.kind.text(request.client(of: server, in: session, with: [retry, token])).get()
                == RequestKind.body)
        #expect(asked.value == ["1 418 -", "2 503 -"])
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer b", "Bearer b"])
    }

    @Test("It is sent again after an error response, and then with another token", arguments: ClientRequest.all)
    func retryAroundToken(_ request: ClientRequest) async throws {
        try await both(request, [503, 401]) { [$0, $1] }
    }

    @Test("It is sent again with another token, and then after an error response", arguments: ClientRequest.all)
    func tokenAroundRetry(_ request: ClientRequest) async throws {
        try await both(request, [401, 503]) { [$1, $0] }
    }

    private func both(
        _ request: ClientRequest, _ statuses: [Int],
        _ order: (any RequestMiddleware, any RequestMiddleware) -> [any RequestMiddleware]
    ) async throws {
        let server = try LoopbackServer.inTurn(.status(statuses[0]), .status(statuses[1]), .done)
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        let client = request.client(of: server, in: session, with: order(Retry.patient, token))
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        let tokens = statuses[0] == 401 ? ["bad", "good", "good"] : ["bad", "bad", "good"]
        #expect(server.requests.map { $0.header("Authorization") } == tokens.map { "Bearer \($0)" })
    }

    // Events connect again after a timeout.
    @Test("A deadline ends it while the server is silent", arguments: ClientRequest.all.filter { $0.kind != .events })
    func deadline(_ request: ClientRequest) async throws {
        let server = try LoopbackServer(.silent)
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { _ in try await server.requests(atLeast: 1) }
        #expect(
            await request.kind.text(request.client(of: server, in: session, with: [deadline])).error?.urlError?.code
                == .timedOut)
    }

    @Test("A mock answers it, after a token is refreshed", arguments: ClientRequest.all)
    func mock(_ request: ClientRequest) async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [DoneProtocol.self]
        let url = try #require(URL(string: "http://mock.test"))
        let token = TokenAuthentication("bad", for: url) { _ in .success("good") }
        let client = APIClient(
            baseURL: url, session: URLSession(configuration: configuration), middleware: [Retry.patient, token],
            maximumBodySize: request.maximumBodySize)
        #expect(try await request.kind.text(client).get() == RequestKind.body)
    }

    @Test("A stub answers it, after a token is refreshed", arguments: ClientRequest.all)
    func stub(_ request: ClientRequest) async throws {
        let stub = SessionStub { request in
            guard request.value(forHTTPHeaderField: "Authorization") == "Bearer good" else {
                return .response(statusCode: 401)
            }
            return .response(headers: ["Content-Type": "text/event-stream"], body: Data(RequestKind.body.utf8))
        }
        let url = try #require(URL(string: "https://api.test"))
        let token = TokenAuthentication("bad", for: url) { _ in .success("good") }
        let client = APIClient(
            baseURL: url, session: stub.session, middleware: [Retry.patient, token],
            maximumBodySize: request.maximumBodySize)
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        #expect(stub.requests.count == 2)
    }

    @Test("A redirect to another origin takes its body along, and no secret", arguments: ClientRequest.all)
    func redirect(_ request: ClientRequest) async throws {
        let other = try LoopbackServer(.done)
        let server = try LoopbackServer(.redirect(to: other.url("/b").absoluteString, status: 307))
        let token = TokenAuthentication("secret", for: server.url())
        let client = request.client(
            of: server, in: session, with: [token], headers: ["X-Key": "secret", "User-Agent": "albums"])
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        let sent = try #require(server.requests.first)
        let redirected = try #require(other.requests.first)
        #expect(sent.header("Authorization") == "Bearer secret" && sent.header("X-Key") == "secret")
        #expect(redirected.header("Authorization") == nil && redirected.header("X-Key") == nil)
        #expect(redirected.header("User-Agent") == "albums")
        #expect(redirected.body == sent.body)
    }

    @Test("Another user who signs in before it is sent again does not get its response", arguments: ClientRequest.all)
    func otherUserInRetry(_ request: ClientRequest) async throws {
        let server = try LoopbackServer.inTurn(.status(503), .done)
        let token = TokenAuthentication("a", for: server.url())
        var retry = Retry()
        retry.sleep = { _ in
            token.signOut()
            token.signIn("b")
        }
        let client = request.client(of: server, in: session, with: [retry, token])
        #expect(await request.kind.text(client).error?.urlError?.code == .userAuthenticationRequired)
        #expect(try await request.kind.text(client).get() == RequestKind.body)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer b"])
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
