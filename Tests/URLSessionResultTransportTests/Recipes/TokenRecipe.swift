import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.token-store
/// What a token endpoint answers (RFC 6749, section 5.1).
nonisolated struct Tokens: Codable, Sendable {
    let accessToken: String
    var refreshToken: String?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }
}

/// Holds tokens, and fetches new ones only once for all who need them.
actor TokenStore {
    typealias Fetched = Result<Tokens, NetworkError>

    private let save: @Sendable (Tokens) -> Void
    private let fetch: @Sendable (Tokens) async -> Fetched
    private var tokens: Tokens
    private var refresh: Task<Fetched, Never>?

    init(
        tokens: Tokens,
        save: @escaping @Sendable (Tokens) -> Void,
        fetch: @escaping @Sendable (Tokens) async -> Fetched
    ) {
        self.tokens = tokens
        self.save = save
        self.fetch = fetch
    }

    var accessToken: String { tokens.accessToken }

    /// Gives another token than the one that the server refused.
    func token(
        insteadOf refused: String
    ) async -> Result<String, NetworkError> {
        guard tokens.accessToken == refused else {
            return .success(tokens.accessToken)
        }
        // A task of its own: who cancels a request cancels no refresh.
        let refresh = refresh ?? Task { await fetchTokens() }
        self.refresh = refresh
        return await refresh.value.map(\.accessToken)
    }

    /// Keeps and saves the new tokens before anybody gets them.
    private func fetchTokens() async -> Fetched {
        let result = await fetch(tokens)
        refresh = nil
        guard case .success(var newTokens) = result else {
            return result
        }
        // A server that keeps the refresh token need not send it.
        newTokens.refreshToken =
            newTokens.refreshToken ?? tokens.refreshToken
        tokens = newTokens
        save(newTokens)
        return .success(newTokens)
    }
}
// snippet.end

// snippet.authorized-client
nonisolated struct AuthorizedClient: Sendable {
    let session: URLSession
    /// The server that the token is for. No other one gets it.
    let api: URL
    let tokens: TokenStore

    func result<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        guard request.url?.origin == api.origin else {
            return await session.dataResult(
                for: request, decoder: decoder)
        }
        let token = await tokens.accessToken
        let result = await session.dataResult(
            for: request.authorized(with: token), decoder: decoder)
        // A redirect may have led to a server that got no token.
        guard case .failure(.serverError(401, let response)) = result,
            response.urlResponse.url?.origin == api.origin
        else { return result }
        switch await tokens.token(insteadOf: token) {
        case .success where request.httpBodyStream != nil:
            // A stream can be read once. The next request succeeds.
            return result
        case .success(let token):
            return await session.dataResult(
                for: request.authorized(with: token), decoder: decoder)
        case .failure(let error):
            return .failure(error)
        }
    }
}

nonisolated extension URLRequest {
    fileprivate func authorized(with token: String) -> URLRequest {
        var request = self
        request.setValue(
            "Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}
// snippet.end

@Suite("Recipe: a token refreshed once", .inTurn)
struct TokenRecipe {
    private let session = URLSession(configuration: .forTests)

    /// A server that gives the tokens 1, 2, … for the refresh tokens a+0, a+1, …, and accepts one of them.
    private func server(accepting accepted: String, whenRefreshing gate: Gate? = nil) throws -> LoopbackServer {
        let count = Monitor(0)
        return try LoopbackServer { request, connection in
            if request.path == "/token" {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let form = "grant_type=refresh_token&refresh_token=a%2B\(number - 1)"
                guard request.method == "POST", request.body == Data(form.utf8) else {
                    try connection.respond(400)
                    return
                }
                gate?.wait()
                try connection.respond(body: #"{"access_token": "\#(number)", "refresh_token": "a+\#(number)"}"#)
            } else if request.header("Authorization") == "Bearer \(accepted)" {
                try connection.respond(body: "done")
            } else {
                try connection.respond(401)
            }
        }
    }

    private let saved = Monitor<[String]>([])

    private func client(_ server: LoopbackServer) -> AuthorizedClient {
        let url = server.url("/token")
        let api = server.url()
        let savedTokens = Tokens(accessToken: "0", refreshToken: "a+0")
        let save: @Sendable (Tokens) -> Void = { [saved] tokens in
            saved.withLock { $0.append("\(tokens.accessToken) \(tokens.refreshToken ?? "none")") }
        }
        // snippet.use-token-store
        let store = TokenStore(tokens: savedTokens, save: save) {
            [session] tokens in
            let request = URLRequest(
                url: url,
                form: [
                    ("grant_type", "refresh_token"),
                    ("refresh_token", tokens.refreshToken ?? ""),
                ])
            return await session.dataResult(
                for: request, decoder: .json(Tokens.self))
        }
        let client = AuthorizedClient(
            session: session, api: api, tokens: store)
        // snippet.end
        return client
    }

    private func tokenRequests(_ server: LoopbackServer) -> Int {
        server.requests.count { $0.path == "/token" }
    }

    @Test("Twenty requests whose token is refused wait for one refresh")
    func oneRefresh() async throws {
        let gate = Gate()
        let server = try server(accepting: "1", whenRefreshing: gate)
        let client = client(server)
        async let results = withTaskGroup { group in
            for index in 0..<20 {
                group.addTask {
                    await client.result(for: URLRequest(url: server.url("/\(index)")), decoder: .string())
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Twenty refused requests, and one for a token, which is being answered while they wait for it.
        try await server.requests(atLeast: 21)
        gate.open()
        let texts = try await results.map { try $0.get() }
        #expect(texts == Array(repeating: "done", count: 20))
        #expect(tokenRequests(server) == 1)
        #expect(server.requests.count == 41)
    }

    @Test("A token that is refused twice is an error, and the next refresh sends the newest refresh token")
    func refusedTwice() async throws {
        let server = try server(accepting: "none")
        let client = client(server)
        for count in 1...3 {
            let result = await client.result(for: URLRequest(url: server.url()), decoder: .ignored)
            #expect(result.error?.statusCode == 401)
            #expect(tokenRequests(server) == count)
        }
    }

    @Test("A server that sends no new refresh token keeps the old one")
    func keptRefreshToken() async throws {
        let server = try LoopbackServer([
            "/": .status(401), "/token": .ok(#"{"access_token": "1"}"#),
        ])
        let client = client(server)
        for _ in 1...2 { _ = await client.result(for: URLRequest(url: server.url()), decoder: .ignored) }
        let bodies = server.requests.filter { $0.path == "/token" }.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == Array(repeating: "grant_type=refresh_token&refresh_token=a%2B0", count: 2))
        #expect(saved.value == ["1 a+0", "1 a+0"])
    }

    @Test("A refresh that fails is the error of the request, and the next request tries again")
    func failedRefresh() async throws {
        let server = try LoopbackServer(["/": .status(401), "/token": .status(500)])
        let client = client(server)
        for count in 1...2 {
            let result = await client.result(for: URLRequest(url: server.url()), decoder: .ignored)
            #expect(result.error?.statusCode == 500)
            #expect(tokenRequests(server) == count)
        }
    }

    @Test("Cancelling a request that waits cancels no refresh, which others wait for")
    func cancelledRequest() async throws {
        let gate = Gate()
        let server = try server(accepting: "1", whenRefreshing: gate)
        let client = client(server)
        let first = Task { await client.result(for: URLRequest(url: server.url("/1")), decoder: .string()) }
        try await server.requests(atLeast: 2)
        let second = Task { await client.result(for: URLRequest(url: server.url("/2")), decoder: .string()) }
        try await server.requests(atLeast: 3)
        first.cancel()
        gate.open()
        #expect(await first.value.error?.isCancelled == true)
        #expect(try await second.value.get() == "done")
        #expect(tokenRequests(server) == 1)
    }

    @Test("Whoever got a new token finds it in the store")
    func keptBeforeGiven() async throws {
        for _ in 0..<200 {
            let gate = SessionStub.Gate()
            let store = TokenStore(tokens: Tokens(accessToken: "0"), save: { _ in }) { _ in
                try? await gate.opened()
                return .success(Tokens(accessToken: "1"))
            }
            async let tokens = withTaskGroup { group in
                for priority in [TaskPriority.background, .high, .high, .high] {
                    group.addTask(priority: priority) {
                        _ = await store.token(insteadOf: "0")
                        return await store.accessToken
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            gate.open()
            #expect(await tokens == ["1", "1", "1", "1"])
        }
    }

    @Test("A body stream is not sent again, but the token is new")
    func bodyStream() async throws {
        let server = try server(accepting: "1")
        let client = client(server)
        var request = URLRequest(url: server.url("/1"), method: .post)
        request.httpBodyStream = InputStream(data: Data("body".utf8))
        #expect(await client.result(for: request, decoder: .string()).error?.statusCode == 401)
        #expect(server.requests.count { $0.path == "/1" } == 1)
        #expect(try await client.result(for: URLRequest(url: server.url("/2")), decoder: .string()).get() == "done")
        #expect(tokenRequests(server) == 1)
        #expect(server.requests.count { $0.path == "/2" } == 1)
    }

    @Test("A 401 of a server that got no token costs no refresh")
    func redirectedElsewhere() async throws {
        let other = try LoopbackServer(.status(401))
        let server = try LoopbackServer(["/": .redirect(to: other.url().absoluteString), "/token": .status(500)])
        let result = await client(server).result(for: URLRequest(url: server.url()), decoder: .ignored)
        #expect(result.error?.statusCode == 401)
        #expect(tokenRequests(server) == 0)
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test("Another origin gets no token")
    func otherOrigin() async throws {
        let other = try LoopbackServer(.status(401))
        let client = client(try server(accepting: "0"))
        let result = await client.result(for: URLRequest(url: other.url()), decoder: .ignored)
        #expect(result.error?.statusCode == 401)
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }
}
