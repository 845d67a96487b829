import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.api-models
nonisolated struct Album: Codable, Equatable {
    let id: Int
    let title: String
    let releasedAt: Date
}

nonisolated struct Tokens: Decodable {
    let accessToken: String
    let expiresIn: TimeInterval
    let refreshToken: String

    var access: AccessToken {
        AccessToken(
            accessToken, expiry: Date(timeIntervalSinceNow: expiresIn))
    }
}

/// What the API says about a rejected request.
nonisolated struct Rejection: Decodable {
    let message: String
}
// snippet.end

// snippet.api-endpoints
nonisolated extension Endpoint where Value == [Album] {
    static func albums(by artist: String) -> Endpoint {
        Endpoint(
            .get, "artists/\(artist)/albums", query: ["limit": 100])
    }
}

nonisolated extension Endpoint where Value == Void {
    static func put(_ album: Album) -> Endpoint {
        Endpoint(.put, "albums/\(album.id)", body: .json(album))
    }
}

nonisolated extension Endpoint where Value == Tokens {
    static func tokens(for refreshToken: String) -> Endpoint {
        Endpoint(
            .post, "token",
            body: .form([
                "grant_type": "refresh_token",
                "refresh_token": refreshToken,
            ]))
    }
}
// snippet.end

// snippet.api-client
/// Keeps the refresh token. An app writes it to the keychain.
actor TokenVault {
    private var refreshToken: String?

    init(_ token: String? = nil) { refreshToken = token }

    func keep(_ token: String?) { refreshToken = token }

    func newToken(
        by client: APIClient
    ) async -> Result<AccessToken, NetworkError> {
        guard let refreshToken else {
            let error = URLError(.userAuthenticationRequired)
            return .failure(.transportError(error))
        }
        return await client.result(
            for: .tokens(for: refreshToken)
        ).map { tokens in
            // Unless the user has signed out or in since then.
            if self.refreshToken == refreshToken {
                keep(tokens.refreshToken)
            }
            return tokens.access
        }
    }
}

nonisolated struct AlbumsAPI: Sendable {
    let client: APIClient
    let token: TokenAuthentication
    let vault: TokenVault

    init(
        _ url: URL, session: URLSession = .shared, vault: TokenVault,
        log: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        var client = APIClient(
            baseURL: url, session: session,
            headers: ["User-Agent": "Albums/1.0"],
            encoder: encoder, decoder: decoder)
        token = TokenAuthentication(for: url) { [client] _ in
            await vault.newToken(by: client)
        }
        client.middleware = [
            Deadline(seconds: 60), Retry(), token, RequestLog(log),
        ]
        self.client = client
        self.vault = vault
    }

    func albums(
        by artist: String
    ) async throws(NetworkError) -> [Album] {
        var albums: [Album] = []
        for try await page in client.pages(for: .albums(by: artist)) {
            albums += page
        }
        return albums
    }

    func message(for error: NetworkError) -> String {
        let rejection = error.body(
            with: .json(Rejection.self, using: client.decoder))
        return rejection?.message ?? error.localizedDescription
    }
}
// snippet.end

// snippet.api-sign-in
nonisolated extension Endpoint where Value == Tokens {
    static func tokens(of user: String, password: String) -> Endpoint {
        Endpoint(
            .post, "token",
            body: .form([
                "grant_type": "password",
                "username": user,
                "password": password,
            ]))
    }
}

nonisolated extension AlbumsAPI {
    func signIn(
        _ user: String, password: String
    ) async throws(NetworkError) {
        var plain = client
        plain.middleware = []  // There is no token yet.
        let tokens = try await plain.result(
            for: .tokens(of: user, password: password)
        ).get()
        await vault.keep(tokens.refreshToken)
        token.signIn(tokens.access)
    }

    func signOut() async {
        token.signOut()
        await vault.keep(nil)
    }
}
// snippet.end

// snippet.api-cursor
nonisolated struct SongPage: Decodable {
    let songs: [String]
    let cursor: String?
}

nonisolated extension Endpoint where Value == SongPage {
    static func songs(after cursor: String? = nil) -> Endpoint {
        Endpoint(.get, "songs", query: ["cursor": cursor])
    }
}

nonisolated extension AlbumsAPI {
    func songs() async throws(NetworkError) -> [String] {
        var songs: [String] = []
        let pages = client.pages(for: .songs()) { page in
            page.cursor.map { .songs(after: $0) }
        }
        for try await page in pages { songs += page.songs }
        return songs
    }
}
// snippet.end

// snippet.api-model
@MainActor
final class AlbumsModel {
    typealias Load =
        @Sendable (String) async throws(NetworkError) -> [Album]

    private(set) var albums: [Album] = []
    private(set) var message: String?
    private let load: Load

    init(load: @escaping Load) { self.load = load }

    func show(_ artist: String) async {
        do {
            albums = try await load(artist)
        } catch {
            guard !Task.isCancelled else { return }
            message = error.localizedDescription
        }
    }
}
// snippet.end

/// Recipe: an API client.
@Suite(.inTurn)
struct ClientRecipe {
    @MainActor
    @Test("The model shows what a function gives it")
    func model() async {
        let blue = Album(id: 1, title: "Blue", releasedAt: Date())
        let model = AlbumsModel { artist throws(NetworkError) in
            guard artist == "joni" else { throw .noData }
            return [blue]
        }
        await model.show("joni")
        #expect(model.albums == [blue])
        await model.show("nobody")
        #expect(model.message != nil)
    }

    @Test("A rejection is explained in the words of the API, otherwise by the library")
    func rejection() async throws {
        let stub = SessionStub(
            .json(#"{"access_token": "a1", "expires_in": 3600, "refresh_token": "r1"}"#),
            .json(#"{"message": "Too old."}"#, statusCode: 422),
            .response(statusCode: 404))
        let url = try #require(URL(string: "https://api.test/v1"))
        let lines = Monitor<[String]>([])
        let api = AlbumsAPI(url, session: stub.session, vault: TokenVault("r0")) { line in
            lines.withLock { $0.append(line) }
        }
        let album = Album(id: 1, title: "Blue", releasedAt: Date(timeIntervalSince1970: 0))
        let errors = [
            await api.client.result(for: .put(album)).error, await api.client.result(for: .put(album)).error,
        ]
        #expect(errors.map { $0.map(api.message) ?? "" }.first == "Too old.")
        #expect(errors.last??.statusCode == 404)
        #expect(errors.last?.map(api.message)?.contains("404") == true)
        let sent = try #require(stub.requests.last?.httpBody)
        #expect(String(decoding: sent, as: UTF8.self).contains(#""released_at":"1970-01-01T00:00:00Z""#))
        #expect(lines.value.first?.contains("PUT https://api.test/v1/albums/1") == true)
    }

    @Test("Signing in needs no token, and signing out leaves none")
    func signingInAndOut() async throws {
        let stub = SessionStub { request in
            switch request.url?.path {
            case "/v1/token": .json(#"{"access_token": "a1", "expires_in": 3600, "refresh_token": "r1"}"#)
            default: .json("[]")
            }
        }
        let url = try #require(URL(string: "https://api.test/v1"))
        let api = AlbumsAPI(url, session: stub.session, vault: TokenVault())

        let before = await #expect(throws: NetworkError.self) { try await api.albums(by: "joni") }
        #expect(before?.urlError?.code == .userAuthenticationRequired)
        #expect(stub.requests.isEmpty)

        try await api.signIn("joni", password: "blue")
        _ = try await api.albums(by: "joni")
        await api.signOut()
        _ = try await api.albums(by: "joni")

        let fields = stub.requests.map { $0.value(forHTTPHeaderField: "Authorization") }
        #expect(fields == [nil, "Bearer a1", nil])
        #expect(stub.requests.first?.httpBody == Data("grant_type=password&username=joni&password=blue".utf8))
    }

    @Test("A refresh that ends after another user has signed in leaves the refresh token of that one")
    func lateRefresh() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            try await gate.opened()
            return .json(#"{"access_token": "a1", "expires_in": 3600, "refresh_token": "r1"}"#)
        }
        let vault = TokenVault("r0")
        var client = AlbumsAPI(
            try #require(URL(string: "https://api.test/v1")), session: stub.session, vault: vault
        ).client
        client.middleware = []
        async let late = vault.newToken(by: client)
        try await stub.requests(atLeast: 1)
        await vault.keep("other")
        gate.open()
        #expect(await late.error == nil)
        _ = await vault.newToken(by: client)
        #expect(stub.requests.last?.httpBody == Data("grant_type=refresh_token&refresh_token=other".utf8))
    }

    @Test("A cursor in the body leads from page to page")
    func cursor() async throws {
        let stub = SessionStub { request in
            switch request.url?.query {
            case nil: .json(#"{"songs": ["Carey"], "cursor": "a+b"}"#)
            default: .json(#"{"songs": ["River"], "cursor": null}"#)
            }
        }
        let url = try #require(URL(string: "https://api.test/v1"))
        let api = AlbumsAPI(url, session: stub.session, vault: TokenVault())
        api.token.signIn("a1")

        #expect(try await api.songs() == ["Carey", "River"])
        #expect(stub.requests.map(\.url?.query) == [nil, "cursor=a%2Bb"])
    }
}

// In turn, because its deadline is a minute.
extension ClientRecipe {
    // snippet.api-test
    @Test("A token is fetched, and pages are read to the last one")
    func allPages() async throws {
        let page = """
            [{"id": 1, "title": "Blue",
              "released_at": "1971-06-22T00:00:00Z"}]
            """
        let stub = SessionStub { request in
            switch (request.url?.path, request.url?.query) {
            case ("/v1/token", _):
                return .json(
                    """
                    {"access_token": "a1", "expires_in": 3600,
                     "refresh_token": "r1"}
                    """)
            case ("/v1/artists/joni/albums", "page=2"):
                return .json(page)
            default:
                let link = #"<?page=2>; rel="next""#
                return .json(page, headers: ["Link": link])
            }
        }
        let url = try #require(URL(string: "https://api.test/v1"))
        let api = AlbumsAPI(
            url, session: stub.session, vault: TokenVault("r0"))

        let albums = try await api.albums(by: "joni")

        #expect(albums.map(\.title) == ["Blue", "Blue"])
        let fields = stub.requests.map { request in
            request.value(forHTTPHeaderField: "Authorization")
        }
        #expect(fields == [nil, "Bearer a1", "Bearer a1"])
    }
    // snippet.end
}
