import Foundation
import Testing
import URLSessionResultClient

// The thirteen tasks of an app's first week, as an app writes them. They hold when they compile. `make lint` counts their lines.

enum FirstWeek {
    nonisolated struct Album: Codable { let id: Int, artist: String, name: String }
    nonisolated struct Tokens: Codable { let accessToken: String, refreshToken: String }
    nonisolated struct ChatPart: Decodable { let text: String }
    nonisolated struct APIError: Decodable { let message: String }
    final class Keychain { var tokens = Tokens(accessToken: "", refreshToken: "") }
    static func show(_ text: String) {}
    static func show(_ fraction: Double?) {}

    static let url = URL(fileURLWithPath: "/v1")
    static let keychain = Keychain()

    static func setUp() -> APIClient {
        // task: client
        let client = APIClient(baseURL: url, headers: ["User-Agent": "Albums/1.0"])
        // end
        return client
    }

    static func get(_ client: APIClient) async throws {
        // task: get
        let albums = try await client.result(for: Endpoint(.get, "albums", as: [Album].self)).get()
        // end
        _ = albums
    }

    static func post(_ album: Album, _ token: String) async throws {
        // task: post
        let authentication = TokenAuthentication(AccessToken(token), for: url)
        let client = APIClient(baseURL: url, middleware: [authentication])
        try await client.result(for: Endpoint(.post, "albums", body: .json(album))).get()
        // end
    }

    static func query(_ client: APIClient, _ name: String, _ year: Int?) async throws {
        // task: query
        let albums = try await client.result(
            for: Endpoint(.get, "search", query: ["artist": name, "year": year], as: [Album].self)
        ).get()
        // end
        _ = albums
    }

    static func errorBody(_ client: APIClient) async {
        // task: error body
        let result = await client.result(for: Endpoint(.get, "albums", as: [Album].self))
        if case .failure(let error) = result, let reason = error.body(with: .json(APIError.self)) {
            show(reason.message)
        }
        // end
    }

    static func retry() -> APIClient {
        // task: retry
        let client = APIClient(baseURL: url, middleware: [Retry()])
        // end
        return client
    }

    static func token() -> APIClient {
        // task: token
        let auth = APIClient(baseURL: url)
        let token = TokenAuthentication(AccessToken(keychain.tokens.accessToken), for: url) { _ in
            let form: QueryItems = await [
                "grant_type": "refresh_token", "refresh_token": keychain.tokens.refreshToken,
            ]
            let result = await auth.result(
                for: Endpoint(.post, "token", body: .form(form), as: Tokens.self))
            if case .success(let tokens) = result { await save(tokens) }
            return result.map { AccessToken($0.accessToken) }
        }
        let client = APIClient(baseURL: url, middleware: [token])
        // end
        return client
    }

    static func save(_ tokens: Tokens) { keychain.tokens = tokens }

    static func multipart(_ client: APIClient, _ file: URL) async throws {
        // task: multipart
        let form: MultipartForm = [
            .field("title", value: "Blue"), .file("cover", file, contentType: "image/png"),
        ]
        try await client.result(for: Endpoint(.post, "covers", body: .multipart(form))) { progress in
            Task { @MainActor in show(progress.fractionCompleted) }
        }.get()
        // end
    }

    static func download(_ client: APIClient, _ file: URL) async throws {
        // task: download
        _ = try await client.downloadResult(for: Endpoint(.get, "albums.zip"), to: file) { progress in
            Task { @MainActor in show(progress.fractionCompleted) }
        }.get()
        // end
    }

    static func resumable(_ client: APIClient, _ file: URL) async throws {
        // task: resumable download
        _ = try await client.resumableDownloadResult(for: Endpoint(.get, "albums.zip"), to: file).get()
        // end
    }

    static func chat(_ token: String) async throws {
        // task: chat
        let token = TokenAuthentication(AccessToken(token), for: url)
        let client = APIClient(baseURL: url, middleware: [Retry(alsoRepeating: [.post]), token])
        let question = Endpoint(.post, "chat", body: .json(["prompt": "Why?"]), as: ChatPart.self)
        for try await part in client.values(for: question) { show(part.text) }
        // end
    }

    static func pages(_ client: APIClient) async throws {
        // task: pages
        for try await albums in client.pages(for: Endpoint(.get, "albums", as: [Album].self)) {
            show(albums.map(\.name).joined())
        }
        // end
    }

    static func log() -> APIClient {
        // task: log
        let client = APIClient(baseURL: url, middleware: [RequestLog { line in print(line) }])
        // end
        return client
    }
}
