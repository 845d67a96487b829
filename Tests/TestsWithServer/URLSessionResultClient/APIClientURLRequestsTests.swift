import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct APIClientURLRequestsTests {
    private let session = URLSession(configuration: .forTests)

    private func client(_ server: LoopbackServer, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(
            baseURL: server.url("/v1"), session: session, headers: ["X-Key": "secret", "Accept": "a/b"],
            middleware: middleware)
    }

    @Test("It goes where it says, with the fields of the client that it does not have")
    func fields() async throws {
        let server = try LoopbackServer(.ok("done", headers: ["ETag": "1"]))
        var request = URLRequest(url: server.url("/a%2Fb?signature=%2B%2f"), method: .put)
        request.setValue("text/plain", forHTTPHeaderField: "accept")
        request.httpBody = Data("sent".utf8)
        let client = client(server)
        #expect(try await client.result(for: request, decoder: .string()).get() == "done")
        let response = try await client.response(for: request, decoder: .string().map(\.count)).get()
        #expect(response.header("ETag") == "1" && response.body == 4)
        let sent = try #require(server.requests.first)
        #expect(sent.method == "PUT" && sent.target == "/a%2Fb?signature=%2B%2f" && sent.text == "sent")
        #expect(sent.header("Accept") == "text/plain" && sent.header("X-Key") == "secret")
    }

    @Test("Neither the fields of the client nor the token go to another origin")
    func otherOrigin() async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer(.ok("done"))
        let client = client(server, TokenAuthentication("secret", for: server.url()))
        for server in [other, server] {
            #expect(try await client.result(for: URLRequest(url: server.url()), decoder: .string()).get() == "done")
        }
        #expect(other.requests.map { $0.header("Authorization") ?? $0.header("X-Key") } == [nil])
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer secret"])
    }

    @Test("It has all middleware around it, its codes count, and its progress")
    func middleware() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(401), .status(404, "none"))
        var retry = Retry()
        retry.sleep = { _ in }
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        let lines = Monitor(0)
        let client = client(server, retry, token, RequestLog { _ in lines.withLock { $0 += 1 } })
        var request = URLRequest(url: server.url(), method: .put)
        request.httpBody = Data(count: 200_000)
        let reports = Monitor<[TransferProgress]>([])
        let result = await client.result(for: request, decoder: .string(), accepting: [404]) { report in
            reports.withLock { $0.append(report) }
        }
        #expect(try result.get() == "none")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 0", "Bearer 0", "Bearer 1"])
        #expect(lines.value == 6)
        #expect(reports.value.last?.completedBytes == 200_000)
        #expect(await client.result(for: request, decoder: .ignored).error?.statusCode == 404)
    }

    @Test("A stream is sent once, and the maximum counts")
    func stream() async throws {
        let server = try LoopbackServer(.status(503, "none"))
        var retry = Retry()
        retry.sleep = { _ in }
        var client = client(server, retry)
        var request = URLRequest(url: server.url(), method: .put)
        request.httpBodyStream = InputStream(data: Data("sent".utf8))
        #expect(await client.result(for: request, decoder: .ignored).error?.statusCode == 503)
        #expect(server.requests.map(\.text) == ["sent"])
        client.maximumBodySize = 3
        let plain = URLRequest(url: server.url())
        let error = await client.result(for: plain, decoder: .ignored, accepting: [503]).error
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
    }

    @Test(
        "An address without a server is an error, and nothing is sent",
        arguments: ["albums", "file:///etc/passwd", "/a"])
    func badURL(_ address: String) async throws {
        let server = try LoopbackServer(.ok())
        let sent = Monitor(0)
        let client = client(server, RequestAdapter { _ in sent.withLock { $0 += 1 } })
        var request = URLRequest(url: try #require(URL(string: address)))
        #expect(await client.result(for: request, decoder: .data).error?.urlError?.code == .badURL)
        request.url = nil
        #expect(await client.response(for: request, decoder: .data).error?.urlError?.code == .badURL)
        request = URLRequest(url: server.url(), method: "A B")
        guard case .encodingError? = await client.result(for: request, decoder: .data).error else {
            return #expect(Bool(false))
        }
        #expect(sent.value == 0 && server.requests.isEmpty)
    }

    @Test("A cancelled one ends, and one of an earlier user is not repeated for the next")
    func ends() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .silent)
        let token = TokenAuthentication("a", for: server.url())
        var retry = Retry()
        retry.sleep = { _ in
            token.signOut()
            token.signIn("b")
        }
        let client = client(server, retry, token)
        let request = URLRequest(url: server.url())
        #expect(await client.result(for: request, decoder: .data).error?.urlError?.code == .userAuthenticationRequired)
        let running = Task { await client.result(for: request, decoder: .data) }
        try await server.requests(atLeast: 2)
        running.cancel()
        #expect(await running.value.error?.isCancelled == true)
    }
}
