import Foundation
import Testing
import URLSessionResult

// snippet.token-store
/// Holds a token, and fetches a new one only once for all who need it.
actor TokenStore {
    typealias Token = Result<String, NetworkError>

    private let fetch: @Sendable () async -> Token
    private var current: String?
    private var refresh: Task<Token, Never>?

    init(fetch: @escaping @Sendable () async -> Token) {
        self.fetch = fetch
    }

    /// Gives the token. If the server refused one, name it.
    func token(insteadOf refused: String? = nil) async -> Token {
        if let current, current != refused { return .success(current) }
        if let refresh { return await refresh.value }
        // A task of its own: who cancels a request cancels no refresh.
        let refresh = Task { await fetch() }
        self.refresh = refresh
        let token = await refresh.value
        self.refresh = nil
        current = try? token.get()
        return token
    }
}
// snippet.end

// snippet.authorized-client
struct AuthorizedClient: Sendable {
    let session: URLSession
    let tokens: TokenStore

    func result<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        let token = await tokens.token()
        let result = await send(request, with: token, decoder: decoder)
        guard case .failure(.serverError(401, _)) = result,
            case .success(let refused) = token
        else { return result }
        let newToken = await tokens.token(insteadOf: refused)
        return await send(request, with: newToken, decoder: decoder)
    }

    private func send<T: Sendable>(
        _ request: URLRequest, with token: TokenStore.Token,
        decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        switch token {
        case .success(let token):
            var request = request
            request.setValue(
                "Bearer \(token)", forHTTPHeaderField: "Authorization")
            return await session.dataResult(
                for: request, decoder: decoder)
        case .failure(let error):
            return .failure(error)
        }
    }
}
// snippet.end

@Suite("Recipe: a token refreshed once", .inTurn)
struct TokenRecipe {
    private let session = URLSession(configuration: .ephemeral)

    /// A server that gives out the tokens 1, 2, … and accepts one of them.
    private func server(accepting accepted: String, whenRefreshing gate: Gate? = nil) throws -> LoopbackServer {
        let count = Monitor(0)
        return try LoopbackServer { request, connection in
            if request.path == "/token" {
                let form = "grant_type=refresh_token&refresh_token=a%2Bb"
                guard request.method == "POST", request.body == Data(form.utf8) else {
                    try connection.respond(400)
                    return
                }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number > 1 { gate?.wait() }
                try connection.respond(body: #"{"access_token": "\#(number)", "token_type": "Bearer"}"#)
            } else if request.header("Authorization") == "Bearer \(accepted)" {
                try connection.respond(body: "done")
            } else {
                try connection.respond(401)
            }
        }
    }

    private func client(_ server: LoopbackServer) -> AuthorizedClient {
        let url = server.url("/token")
        let savedToken = "a+b"
        // snippet.use-token-store
        let tokens = TokenStore { [session] in
            let request = URLRequest(
                url: url,
                form: [
                    "grant_type": "refresh_token",
                    "refresh_token": savedToken,
                ])
            return await session.dataResult(
                for: request,
                decoder: .json(String.self, at: "access_token"))
        }
        let client = AuthorizedClient(session: session, tokens: tokens)
        // snippet.end
        return client
    }

    private func tokenRequests(_ server: LoopbackServer) -> Int {
        server.requests.count { $0.path == "/token" }
    }

    @Test("Twenty requests whose token is refused wait for one refresh")
    func oneRefresh() async throws {
        let gate = Gate()
        let server = try server(accepting: "2", whenRefreshing: gate)
        let client = client(server)
        _ = await client.tokens.token()
        async let results = withTaskGroup { group in
            for index in 0..<20 {
                group.addTask {
                    await client.result(for: URLRequest(url: server.url("/\(index)")), decoder: .string())
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Twenty refused requests, and two for a token: the second is being answered while the others wait for it.
        try await server.requests(atLeast: 22)
        gate.open()
        let texts = try await results.map { try $0.get() }
        #expect(texts == Array(repeating: "done", count: 20))
        #expect(tokenRequests(server) == 2)
        #expect(server.requests.count == 42)
    }

    @Test("A token that is refused twice is an error")
    func refusedTwice() async throws {
        let server = try server(accepting: "none")
        let result = await client(server).result(for: URLRequest(url: server.url()), decoder: .ignored)
        #expect(result.error?.statusCode == 401)
        #expect(tokenRequests(server) == 2)
    }

    @Test("A refresh that fails is the error of the request, and the next request tries again")
    func failedRefresh() async throws {
        let server = try LoopbackServer(["/token": .status(500)])
        let client = client(server)
        for count in 1...2 {
            let result = await client.result(for: URLRequest(url: server.url()), decoder: .ignored)
            #expect(result.error?.statusCode == 500)
            #expect(tokenRequests(server) == count)
        }
    }
}
