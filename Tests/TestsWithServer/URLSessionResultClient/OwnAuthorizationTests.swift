import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
struct OwnAuthorizationTests {
    private let session = URLSession(configuration: .forTests)
    private let refreshes = Monitor<[String?]>([])

    private func client(_ server: LoopbackServer, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(baseURL: server.url(), session: session, middleware: middleware)
    }

    private func text(_ client: APIClient, _ path: EndpointPath = "a") async -> Result<String, NetworkError> {
        await client.result(for: Endpoint(.get, path, query: ["b": 1], decoder: .string()))
    }

    /// Gives the tokens 1, 2, …
    private var refresh: TokenAuthentication.Refresh {
        { [refreshes] refused in
            refreshes.withLock { refreshes in
                refreshes.append(refused?.value)
                return .success(AccessToken("\(refreshes.count)"))
            }
        }
    }

    private static let keyInQuery: @Sendable (AccessToken, inout URLRequest) -> Void = { token, request in
        guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return
        }
        components.queryItems = (components.queryItems ?? []) + [URLQueryItem(name: "key", value: token.value)]
        request.url = components.url
    }

    @Test("A token in the query is refreshed, and goes to no other origin")
    func query() async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer { request, connection in
            guard request.target.hasSuffix("key=1") else { return try connection.respond(401) }
            guard request.path == "/redirect" else { return try connection.respond(200, body: "done") }
            try connection.respond(302, headers: ["Location": other.url("/b").absoluteString])
        }
        let token = TokenAuthentication("0", for: server.url(), authorize: Self.keyInQuery, refresh: refresh)
        let client = client(server, token)
        #expect(try await text(client).get() == "done")
        #expect(try await text(client, "redirect").get() == "done")
        #expect(try await text(client, EndpointPath(other.url("/c"))).get() == "done")
        #expect(server.requests.map(\.target) == ["/a?b=1&key=0", "/a?b=1&key=1", "/redirect?b=1&key=1"])
        #expect(other.requests.map(\.target) == ["/b", "/c?b=1"])
        #expect(refreshes.value == ["0"])
        let request = try await token.authorized(URLRequest(url: server.url("/d")))
        #expect(request.url?.query == "key=1")
    }

    @Test("A signature is made anew for each attempt, with the token of then")
    func signature() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(401), .ok("done"))
        let count = Monitor(0)
        let token = TokenAuthentication(
            "0", for: server.url(),
            authorize: { token, request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                request.setValue("\(token.value) \(number)", forHTTPHeaderField: "X-Signature")
            }, refresh: refresh)
        var retry = Retry()
        retry.sleep = { _ in }
        #expect(try await text(client(server, retry, token)).get() == "done")
        #expect(server.requests.map { $0.header("X-Signature") } == ["0 1", "0 2", "1 3"])
    }

    @Test(
        "If the function throws, nothing is sent",
        arguments: [
            CancellationError(), URLError(.cancelled), URLError(.timedOut), NetworkError.noData,
            CocoaError(.coderInvalidValue),
        ]
            as [any Error])
    func failure(error: any Error) async throws {
        let server = try LoopbackServer(.ok("done"))
        let token = TokenAuthentication("0", for: server.url(), authorize: { _, _ in throw error })
        let result = await text(client(server, token)).error
        switch (error, result) {
        case (is CancellationError, let result?): #expect(result.isCancelled)
        case (let error as URLError, let result?): #expect(result.urlError?.code == error.code)
        case (is NetworkError, .noData?): break
        case (is CocoaError, .encodingError?): break
        default: Issue.record("\(error) becomes \(String(describing: result))")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A trailing closure is the refresh in both initializers, and an error is a refusal if the function says so")
    func refusal() async throws {
        let server = try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer 1" || request.target.hasSuffix("key=1")
            try connection.respond(isGood ? 200 : 403, body: "done")
        }
        let refusal: @Sendable (NetworkError) -> Bool = { $0.statusCode == 403 }
        let usual = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        let usualKey = TokenAuthentication("0", for: server.url(), authorize: Self.keyInQuery) { _ in .success("1") }
        let own = TokenAuthentication("0", for: server.url(), refresh: refresh, isRefusal: refusal)
        let ownKey = TokenAuthentication(
            "0", for: server.url(), authorize: Self.keyInQuery, refresh: { _ in .success("1") }, isRefusal: refusal)
        #expect(await text(client(server, usual)).error?.statusCode == 403)
        #expect(await text(client(server, usualKey)).error?.statusCode == 403)
        #expect(try await text(client(server, own)).get() == "done")
        #expect(try await text(client(server, ownKey)).get() == "done")
        #expect(server.requests.count == 6)
    }

    @Test("An error without a response may be a refusal, and a 401 none")
    func oddRefusals() async throws {
        let server = try LoopbackServer(.status(401))
        let token = TokenAuthentication("0", for: server.url(), refresh: refresh) { error in
            error.urlError?.code == .badServerResponse
        }
        #expect(await text(client(server, token)).error?.statusCode == 401)
        #expect(refreshes.value.isEmpty)
        let head = URLResponse(url: server.url(), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let answers = Monitor<[Result<NetworkResponse<Data>, NetworkError>]>([
            .failure(.transportError(URLError(.badServerResponse))),
            .success(NetworkResponse(body: Data(), urlResponse: head)),
        ])
        let result = await token.response(for: URLRequest(url: server.url())) { _ in
            answers.withLock { $0.removeFirst() }
        }
        #expect(result.error == nil)
        #expect(refreshes.value == ["0"])
    }

    @Test("A refusal that stands requires a sign-in, whatever its status", arguments: [401, 403], [true, false])
    func standing(status: Int, isRefreshed: Bool) async throws {
        let server = try LoopbackServer(.status(status, "no"))
        let token = TokenAuthentication(
            "0", for: server.url(), refresh: isRefreshed ? refresh : nil, isRefusal: { $0.statusCode == status })
        let error = try #require(await text(client(server, token)).error)
        #expect(error.requiresSignIn)
        // With a fixed token, a 401 is the result as it is.
        let response = isRefreshed || status == 403 ? error.reasonForSignIn?.response : error.response
        #expect(response?.body == Data("no".utf8))
        #expect(server.requests.count == (isRefreshed ? 2 : 1))
        #expect(!"\(error) \(error.localizedDescription)".contains("no\""))
    }

    @Test("A refusal of a token that others have replaced meanwhile requires no sign-in")
    func replacedMeanwhile() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            if request.header("Authorization") == "Bearer 1" { gate.wait() }
            try connection.respond(request.header("Authorization") == "Bearer 2" ? 200 : 403)
        }
        let token = TokenAuthentication(
            "0", for: server.url(), refresh: refresh, isRefusal: { $0.statusCode == 403 })
        let client = client(server, token)
        async let late = text(client).error
        try await server.requests(atLeast: 2)
        token.signIn("2")
        gate.open()
        #expect(await late?.statusCode == 403)
        #expect(await text(client).error == nil)
    }

    @Test("Basic authentication is a token (RFC 7617, section 2)")
    func basic() async throws {
        let server = try LoopbackServer(.ok("done"))
        let token = TokenAuthentication(
            try .basic(user: "Aladdin", password: "open sesame"), for: server.url())
        #expect(try await text(client(server, token)).get() == "done")
        #expect(server.requests.map { $0.header("Authorization") } == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
    }

    @Test("The scheme of a token counts before that of the middleware, also of one that is signed in with or refreshed")
    func scheme() async throws {
        let server = try LoopbackServer.inTurn(.ok(), .ok(), .status(401), .ok(), .ok())
        let token = TokenAuthentication("0", for: server.url()) { _ in .success(AccessToken("1", scheme: "MAC")) }
        let client = client(server, token)
        _ = await text(client)
        token.signIn(try .basic(user: "a", password: "b"))
        _ = await text(client)
        _ = await text(client)
        let bare = TokenAuthentication(AccessToken("2", scheme: "Token"), for: server.url(), scheme: nil)
        _ = await text(self.client(server, bare))
        let fields = server.requests.map { $0.header("Authorization") }
        #expect(fields == ["Bearer 0", "Basic YTpi", "Basic YTpi", "MAC 1", "Token 2"])
        #expect(AccessToken("0") != AccessToken("0", scheme: "Basic"))
    }

    @Test(
        "A password may have anything, and a user name no colon (RFC 7617, sections 2 and 2.1)",
        arguments: [
            ("test", "123£", "dGVzdDoxMjPCow=="), ("", "", "Og=="), ("a", "b:c\n", "YTpiOmMK"), ("a:b", "c", nil),
        ]
            as [(String, String, String?)])
    func basicParts(user: String, password: String, value: String?) {
        let token = Result { () throws(NetworkError) in try AccessToken.basic(user: user, password: password) }
        #expect((try? token.get().value) == value)
        #expect((try? token.get())?.expiry == nil)
        #expect((try? token.get())?.scheme == value.map { _ in "Basic" })
        guard let error = token.error else { return }
        guard case .encodingError = error else { return #expect(Bool(false)) }
        #expect(!"\(error) \(error.localizedDescription)".contains(user))
    }
}
