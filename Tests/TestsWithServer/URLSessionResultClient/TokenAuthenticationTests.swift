import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
struct TokenAuthenticationTests {
    private let session = URLSession(configuration: .forTests)
    private let refreshes = Monitor<[String?]>([])

    /// Accepts one token.
    private func server(accepting accepted: String) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer \(accepted)"
            try connection.respond(isGood ? 200 : 401, body: isGood ? "done" : "refused")
        }
    }

    private func client(_ server: LoopbackServer, _ token: TokenAuthentication) -> APIClient {
        APIClient(baseURL: server.url(), session: session, middleware: [token])
    }

    /// Gives the tokens 1, 2, … when the gate opens.
    private func token(
        _ first: String? = "0", for server: LoopbackServer, whenRefreshing gate: SessionStub.Gate? = nil
    ) -> TokenAuthentication {
        TokenAuthentication(first.map { AccessToken($0) }, for: server.url()) { [refreshes] refused in
            let count = refreshes.withLock { refreshes in
                refreshes.append(refused?.value)
                return refreshes.count
            }
            try? await gate?.opened()
            return .success(AccessToken("\(count)"))
        }
    }

    private func text(_ client: APIClient, _ path: EndpointPath = "a") async -> Result<String, NetworkError> {
        await client.result(for: Endpoint(.get, path, decoder: .string()))
    }

    @Test("Twenty requests whose token is refused, or that have none, wait for one refresh", arguments: ["0", nil])
    func oneRefresh(_ first: String?) async throws {
        let gate = SessionStub.Gate()
        let server = try server(accepting: "1")
        let client = client(server, token(first, for: server, whenRefreshing: gate))
        async let results = withTaskGroup { group in
            for index in 0..<20 { group.addTask { await text(client, "\(index)") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        if first != nil { try await server.requests(atLeast: 20) }
        try await refreshes.value { $0.count == 1 }
        gate.open()
        #expect(try await results.map { try $0.get() } == Array(repeating: "done", count: 20))
        #expect(refreshes.value == [first])
        #expect(server.requests.count == (first == nil ? 20 : 40))
    }

    @Test("A token that is refused twice is an error, and the next request tries again")
    func refusedTwice() async throws {
        let server = try server(accepting: "none")
        let client = client(server, token(for: server))
        for count in 1...3 {
            let error = await text(client).error
            #expect(error?.requiresSignIn == true)
            #expect(error?.reasonForSignIn?.response?.body == Data("refused".utf8))
            #expect(refreshes.value.count == count)
        }
    }

    @Test("A refresh that fails is the error of all who wait, and the next request tries again")
    func failedRefresh() async throws {
        let server = try server(accepting: "1")
        let count = Monitor(0)
        let token = TokenAuthentication("0", for: server.url()) { _ in
            count.withLock { count in
                count += 1
                return count == 1 ? .failure(.transportError(URLError(.notConnectedToInternet))) : .success("1")
            }
        }
        let client = client(server, token)
        #expect(await text(client).error?.urlError?.code == .notConnectedToInternet)
        #expect(try await text(client).get() == "done")
    }

    @Test("Cancelling a request ends its wait at once, and not the refresh, which others wait for")
    func cancelledRequest() async throws {
        let gate = SessionStub.Gate()
        let server = try server(accepting: "1")
        let client = client(server, token(for: server, whenRefreshing: gate))
        let first = Task { await text(client, "1") }
        try await refreshes.value { $0.count == 1 }
        let second = Task { await text(client, "2") }
        try await server.requests(atLeast: 2)
        first.cancel()
        #expect(await first.value.error?.isCancelled == true)
        gate.open()
        #expect(try await second.value.get() == "done")
        #expect(refreshes.value.count == 1)
    }

    @Test("The refresh may use the client that waits for it")
    func refreshByItself() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/token" {
                try connection.respond(request.header("Authorization") == nil ? 200 : 400, body: "1")
            } else {
                try connection.respond(request.header("Authorization") == "Bearer 1" ? 200 : 401, body: "done")
            }
        }
        let client = Monitor<APIClient?>(nil)
        let token = TokenAuthentication("0", for: server.url()) { _ in
            guard let client = client.value else { return .failure(.noData) }
            return await client.result(for: Endpoint(.post, "token", decoder: .string())).map { AccessToken($0) }
        }
        client.withLock { $0 = self.client(server, token) }
        #expect(try await text(try #require(client.value)).get() == "done")
        #expect(server.requests.map(\.path) == ["/a", "/token", "/a"])
    }

    @Test("A refresh that is refused itself is an error, and waits for nothing")
    func refusedRefresh() async throws {
        let server = try server(accepting: "1")
        let client = Monitor<APIClient?>(nil)
        let token = TokenAuthentication("0", for: server.url()) { _ in
            guard let client = client.value else { return .failure(.noData) }
            return await client.result(for: Endpoint(.post, "token", decoder: .string())).map { AccessToken($0) }
        }
        client.withLock { $0 = self.client(server, token) }
        #expect(await text(try #require(client.value)).error?.reasonForSignIn?.statusCode == 401)
        #expect(server.requests.count == 2)
    }

    @Test(
        "Who signs out or in while a token is fetched, gets no token of before", arguments: [nil, "1"], ["0", nil])
    func replaced(_ other: String?, first: String?) async throws {
        let gate = SessionStub.Gate()
        let server = try server(accepting: "1")
        let token = TokenAuthentication(first.map { AccessToken($0) }, for: server.url()) { [refreshes] refused in
            refreshes.withLock { $0.append(refused?.value) }
            try? await gate.opened()
            return .success("old")
        }
        let client = client(server, token)
        let running = Task { await text(client) }
        try await refreshes.value { $0.count == 1 }
        if let other { token.signIn(AccessToken(other)) } else { token.signOut() }
        // It does not wait for what does not count any more.
        let result = await running.value
        if other == nil {
            #expect(result.error?.urlError?.code == .userAuthenticationRequired)
        } else {
            #expect(try result.get() == "done")
        }
        gate.open()
        for _ in 0..<3 { #expect(await text(client).error?.statusCode == (other == nil ? 401 : nil)) }
        #expect(!server.requests.contains { $0.header("Authorization") == "Bearer old" })
        #expect(refreshes.value.count == 1)
    }

    @Test("After signing out nothing is refreshed and nothing has a token, until signing in")
    func signedOut() async throws {
        let server = try server(accepting: "good")
        let token = token("good", for: server)
        let client = client(server, token)
        #expect(try await text(client).get() == "done")
        token.signOut()
        for _ in 0..<3 { #expect(await text(client).error?.statusCode == 401) }
        #expect(refreshes.value.isEmpty)
        token.signIn("good")
        #expect(try await text(client).get() == "done")
        let good = "Bearer good" as String?
        #expect(server.requests.map { $0.header("Authorization") } == [good, nil, nil, nil, good])
    }

    @Test("Who signs out while a request is on its way gets its 401, and no refresh")
    func signedOutMeanwhile() async throws {
        let gate = Gate()
        let server = try LoopbackServer(LoopbackServer.Response.status(401).once(gate))
        let token = token(for: server)
        let client = client(server, token)
        let running = Task { await text(client) }
        try await server.requests(atLeast: 1)
        token.signOut()
        gate.open()
        #expect(await running.value.error?.statusCode == 401)
        #expect(refreshes.value.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test("What one user has sent is not sent again for another", arguments: [true, false])
    func otherUser(signsOut: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer 1"
            if !isGood { gate.wait() }
            try connection.respond(isGood ? 200 : 401, body: "done")
        }
        let token = token(for: server)
        let client = client(server, token)
        let running = Task { await text(client) }
        try await server.requests(atLeast: 1)
        if signsOut { token.signOut() }
        token.signIn("1")
        gate.open()
        #expect(await running.value.error?.statusCode == (signsOut ? 401 : nil))
        #expect(try await text(client).get() == "done")
        #expect(refreshes.value.isEmpty)
    }

    /// Sends a request twice, and another user signs in between.
    private struct Twice: RequestMiddleware {
        let token: TokenAuthentication

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            _ = await next(request)
            token.signOut()
            token.signIn("b")
            return await next(request)
        }
    }

    @Test("No middleware of a client, and no retry without one, sends the request of one user again for another")
    func otherUserInMiddleware() async throws {
        let server = try LoopbackServer(.status(503))
        let token = TokenAuthentication("a", for: server.url())
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: [Twice(token: token), token])
        #expect(await text(client).error?.urlError?.code == .userAuthenticationRequired)
        var retry = Retry(attempts: 2)
        retry.sleep = { _ in
            token.signOut()
            token.signIn("c")
        }
        let result = await retry.response(for: URLRequest(url: server.url())) { [session] request in
            await token.response(for: request) { await session.dataResult(for: $0, decoder: .response(.data)) }
        }
        #expect(result.error?.urlError?.code == .userAuthenticationRequired)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a", "Bearer b"])
    }

    @Test("A request that nobody's token was sent with may be sent again for who signs in meanwhile")
    func signedInDuringRetry() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .ok("done"))
        let token = TokenAuthentication("a", for: server.url())
        token.signOut()
        var retry = Retry()
        retry.sleep = { _ in token.signIn("b") }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry, token])
        #expect(try await text(client).get() == "done")
        #expect(server.requests.map { $0.header("Authorization") } == [nil, "Bearer b"])
    }

    @Test("A request that nobody's token was sent with is sent again after another sign-out")
    func signedOutTwice() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .ok("done"))
        let token = TokenAuthentication("a", for: server.url())
        token.signOut()
        var retry = Retry()
        retry.sleep = { _ in token.signOut() }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry, token])
        #expect(try await text(client).get() == "done")
        #expect(server.requests.map { $0.header("Authorization") } == [nil, nil])
    }

    @Test("A refresh that is of no use any more has no token of the next user")
    func supersededRefresh() async throws {
        let server = try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer b"
            try connection.respond(isGood || request.path == "/inside" ? 200 : 401, body: "done")
        }
        let client = Monitor<APIClient?>(nil)
        let gate = Gate()
        let isOver = Monitor(false)
        let token = TokenAuthentication("a", for: server.url()) { [self, refreshes] refused in
            refreshes.withLock { $0.append(refused?.value) }
            try? await gate.opened()
            if let client = client.value { _ = await text(client, "inside") }
            isOver.withLock { $0 = true }
            return .success("old")
        }
        client.withLock { $0 = self.client(server, token) }
        let own = try #require(client.value)
        let running = Task { await text(own) }
        try await refreshes.value { $0.count == 1 }
        token.signOut()
        token.signIn("b")
        _ = await running.value
        #expect(try await text(own, "outside").get() == "done")
        gate.open()
        try await isOver.value { $0 }
        #expect(
            server.requests.map { "\($0.path) \($0.header("Authorization") ?? "-")" }
                == ["/a Bearer a", "/outside Bearer b", "/inside -"])
    }

    @Test("A token that is short-lived from the sign-in on is not refreshed before the first request")
    func shortSignIn() async throws {
        let server = try LoopbackServer(.ok("done"))
        let now = Monitor(Date(timeIntervalSince1970: 1_000))
        let started = StartedTasks()
        let token = TokenAuthentication(
            nil, for: [server.url()], refresh: { _ in .success("1") }, now: { now.value }, start: started.start)
        token.signIn(AccessToken("0", expiry: now.value + 30))
        for seconds in [0, 14, 2, 0] {
            now.withLock { $0 += TimeInterval(seconds) }
            #expect(try await text(client(server, token)).get() == "done")
            await started.end()
        }
        #expect(server.requests.map { $0.header("Authorization") } == ["0", "0", "0", "1"].map { "Bearer \($0)" })
    }

    @Test("A refresh that is refused signs out until signing in", arguments: [400, 401])
    func usedUp(_ status: Int) async throws {
        let server = try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer good"
            try connection.respond(request.path == "/token" ? status : isGood ? 200 : 401, body: "done")
        }
        let plain = APIClient(baseURL: server.url(), session: session)
        let token = TokenAuthentication("0", for: server.url()) { _ in
            await plain.result(for: Endpoint(.post, "token", decoder: .string())).map { AccessToken($0) }
        }
        let client = client(server, token)
        #expect(await text(client).error?.reasonForSignIn?.statusCode == status)
        for _ in 0..<3 { #expect(await text(client).error?.statusCode == 401) }
        #expect(server.requests.count { $0.path == "/token" } == 1)
        token.signIn("good")
        #expect(try await text(client).get() == "done")
    }

    @Test("A request of a task that the refresh has started has the token, once the refresh is over")
    func taskOfRefresh() async throws {
        let server = try LoopbackServer { request, connection in
            let isGood = request.header("Authorization") == "Bearer 1"
            try connection.respond(isGood ? 200 : request.path == "/inside" ? 202 : 401, body: "done")
        }
        let client = Monitor<APIClient?>(nil)
        let gate = Gate()
        let later = Monitor<Task<Result<String, NetworkError>, Never>?>(nil)
        let token = TokenAuthentication("0", for: server.url()) { [self] _ in
            guard let client = client.value else { return .failure(.noData) }
            let task = Task {
                try? await gate.opened()
                return await text(client, "later")
            }
            later.withLock { $0 = task }
            _ = await Task { await text(client, "inside") }.value
            return .success("1")
        }
        client.withLock { $0 = self.client(server, token) }
        #expect(try await text(try #require(client.value)).get() == "done")
        gate.open()
        #expect(try await later.value?.value.get() == "done")
        #expect(
            server.requests.map { "\($0.path) \($0.header("Authorization") ?? "-")" }
                == ["/a Bearer 0", "/inside -", "/a Bearer 1", "/later Bearer 1"])
    }

    @Test("A token in a field of its own stays at the API, also without a client", arguments: [true, false])
    func redirectWithoutClient(isRefused: Bool) async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer { request, connection in
            if isRefused, request.header("X-Api-Key") == "0" { return try connection.respond(401) }
            try connection.respond(302, headers: ["Location": other.url("/b").absoluteString])
        }
        let token = TokenAuthentication(AccessToken("0"), for: server.url(), header: "X-Api-Key", scheme: nil) { _ in
            .success(AccessToken("1"))
        }
        let result = await token.response(for: URLRequest(url: server.url())) { [session] request in
            await session.dataResult(for: request, decoder: .response(.data))
        }
        #expect(try result.get().body == Data("done".utf8))
        #expect(server.requests.last?.header("X-Api-Key") == (isRefused ? "1" : "0"))
        #expect(other.requests.map { $0.header("X-Api-Key") } == [nil])
    }

    @Test("A server that refuses every token gets one refresh for each, not for each request")
    func refusesAll() async throws {
        let server = try server(accepting: "none")
        let gate = SessionStub.Gate()
        let client = client(server, token(for: server, whenRefreshing: gate))
        async let codes = withTaskGroup { group in
            for index in 0..<10 { group.addTask { await text(client, "\(index)").error?.reasonForSignIn?.statusCode } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await server.requests(atLeast: 10)
        try await refreshes.value { $0.count == 1 }
        gate.open()
        #expect(await codes == Array(repeating: 401, count: 10))
        #expect(refreshes.value == ["0"])
    }

    @Test("A new token counts as one, also if it is equal")
    func equalToken() async throws {
        let server = try LoopbackServer.inTurn(.status(401), .ok("done"), .status(401), .ok("done"))
        let token = TokenAuthentication("same", for: server.url()) { [refreshes] refused in
            refreshes.withLock { $0.append(refused?.value) }
            return .success("same")
        }
        for _ in 0..<2 { #expect(try await text(client(server, token)).get() == "done") }
        #expect(refreshes.value == ["same", "same"])
    }

    @Test("The header field and the scheme are those of the API, which may have several origins")
    func field() async throws {
        let server = try LoopbackServer(.ok("done"))
        let other = try LoopbackServer(.ok("done"))
        let token = TokenAuthentication(
            "abc", for: server.url(), other.url(), header: "X-Token", scheme: nil)
        let client = client(server, token)
        for path in [EndpointPath("a"), EndpointPath(other.url("/b"))] {
            #expect(try await text(client, path).get() == "done")
        }
        #expect((server.requests + other.requests).map { $0.header("X-Token") } == ["abc", "abc"])
        let basic = TokenAuthentication("abc", for: server.url(), scheme: "Token")
        #expect(try await text(self.client(server, basic)).get() == "done")
        #expect(server.requests.last?.header("Authorization") == "Token abc")
    }

    @Test("A request for a task of one's own gets the token, after a refresh if that is due")
    func authorized() async throws {
        let server = try LoopbackServer(.ok())
        let token = token(nil, for: server)
        let request = URLRequest(url: server.url())
        let authorized = try await token.authorized(request)
        #expect(authorized.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
        #expect(try await token.authorized(authorized) == authorized)
        let other = URLRequest(url: try #require(URL(string: "https://other.test")))
        #expect(try await token.authorized(other) == other)
        token.signOut()
        #expect(try await token.authorized(request) == request)
        #expect(refreshes.value == [nil])
    }

    @Test("What a request for a task of one's own cannot get is thrown")
    func unauthorized() async throws {
        let url = try #require(URL(string: "https://albums.test"))
        let failing = TokenAuthentication(for: url) { _ in .failure(.noData) }
        let error = await #expect(throws: NetworkError.self) { try await failing.authorized(URLRequest(url: url)) }
        guard case .noData? = error else { return #expect(Bool(false)) }
        let malformed = TokenAuthentication("0\r\nX-Other: 1", for: url)
        let other = await #expect(throws: NetworkError.self) { try await malformed.authorized(URLRequest(url: url)) }
        guard case .encodingError? = other else { return #expect(Bool(false)) }
    }

    @Test("Without a refresh, a 401 is the result, and without a token a request has none")
    func noRefresh() async throws {
        let server = try server(accepting: "1")
        #expect(
            await text(client(server, TokenAuthentication("0", for: server.url()))).error?.response?.body
                == Data("refused".utf8))
        #expect(await text(client(server, TokenAuthentication(for: server.url()))).error?.statusCode == 401)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 0", nil])
    }

    @Test("A request that has an authorization keeps it")
    func ownAuthorization() async throws {
        let server = try server(accepting: "1")
        let client = client(server, token(for: server))
        let basic = Endpoint(.get, "a", headers: ["Authorization": "Basic x"])
        #expect(await client.result(for: basic).error?.statusCode == 401)
        #expect(server.requests.map { $0.header("Authorization") } == ["Basic x"])
    }

    @Test("A token with a line break is an error, and not a header field of its own")
    func lineBreak() async throws {
        let server = try server(accepting: "0")
        let error = await text(client(server, TokenAuthentication("0\r\nX-Other: 1", for: server.url()))).error
        guard case .encodingError? = error else { return #expect(Bool(false)) }
        #expect(server.requests.isEmpty)
    }

    @Test("A body stream is not sent again, but the token is new")
    func bodyStream() async throws {
        let server = try server(accepting: "1")
        let token = token(for: server)
        var request = URLRequest(url: server.url("/1"), method: .post)
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        let result = await token.data(for: request, session)
        #expect(result.error?.statusCode == 401)
        #expect(try await text(client(server, token)).get() == "done")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 0", "Bearer 1"])
    }

    @Test("A redirect to another origin of the API has no token, and its 401 costs no refresh")
    func otherOriginOfAPI() async throws {
        let other = try LoopbackServer(.status(401))
        let server = try LoopbackServer(.redirect(to: other.url("/b").absoluteString))
        let token = TokenAuthentication("0", for: server.url(), other.url()) { [refreshes] refused in
            refreshes.withLock { $0.append(refused?.value) }
            return .success("1")
        }
        #expect(await text(client(server, token)).error?.statusCode == 401)
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
        #expect(refreshes.value.isEmpty)
    }

    @Test("Another origin gets no token, by an endpoint, a redirect or a link, and its 401 costs no refresh")
    func otherOrigin() async throws {
        let other = try LoopbackServer(.status(401))
        let link = "<\(other.url("/2"))>; rel=next"
        let server = try LoopbackServer([
            "/redirect": .redirect(to: other.url("/3").absoluteString), "/pages": .ok("1", headers: ["Link": link]),
        ])
        let token = token(for: server)
        let client = APIClient(
            baseURL: server.url(), session: session, headers: ["X-Api-Key": "secret"], middleware: [token])
        #expect(await text(client, EndpointPath(other.url("/1"))).error?.statusCode == 401)
        #expect(await text(client, "redirect").error?.statusCode == 401)
        let error = await #expect(throws: NetworkError.self) {
            for try await page in client.pages(
                for: Endpoint(.get, "pages", headers: ["X-Own": "secret"], decoder: .string()))
            {
                #expect(page == "1")
            }
        }
        #expect(error?.statusCode == 401)
        #expect(other.requests.map(\.path) == ["/1", "/3", "/2"])
        for request in other.requests {
            #expect(["Authorization", "X-Api-Key", "X-Own"].allSatisfy { request.header($0) == nil })
        }
        #expect(
            server.requests.allSatisfy {
                $0.header("Authorization") == "Bearer 0" && $0.header("X-Api-Key") == "secret"
            })
        #expect(refreshes.value.isEmpty)
    }
}
