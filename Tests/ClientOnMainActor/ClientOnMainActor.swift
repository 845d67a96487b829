import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

// The code of an app whose target has main-actor default isolation. Most of it holds when it compiles.

nonisolated struct Album: Codable, Equatable {
    let id: Int
    let name: String
}

nonisolated struct SongPage: Decodable {
    let songs: [String]
    let cursor: String?
}

extension Endpoint where Value == [Album] {
    static func albums(by artist: String) -> Endpoint {
        Endpoint(.get, "artists/\(artist)/albums", query: ["sort": "year"])
    }

    static let all = Endpoint(.get, "albums")
}

/// Without `nonisolated`, and used in a function that is.
enum Order: String, RequestValue { case name, year }

struct Year: RequestValue {
    let number: Int
    var requestValue: String { "\(number)" }
}

nonisolated func sortedAlbums() -> Endpoint<[Album]> {
    Endpoint(.get, "albums/\(Order.year)", query: ["by": Order.name, "from": Year(number: 1971)])
}

extension Endpoint where Value == Void {
    static func put(_ album: Album) -> Endpoint { Endpoint(.put, "albums/\(album.id)", body: .json(album)) }
}

extension Endpoint where Value == SongPage {
    static func songs(after cursor: String? = nil) -> Endpoint {
        Endpoint(.get, "songs", query: ["after": cursor])
    }
}

/// Without `nonisolated`, as one writes it.
struct RequestID: RequestMiddleware {
    func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        var request = request
        request.setValue("7", forHTTPHeaderField: "X-Request-ID")
        return await next(request)
    }
}

final class Keychain {
    var refreshToken = "r0"
}

final class AlbumsModel {
    private(set) var albums: [Album] = []
    private(set) var songs: [String] = []
    private(set) var events: [String] = []
    private(set) var fraction = 0.0
    private(set) var message: String?
    private let keychain = Keychain()
    private let client: APIClient

    init(session: URLSession, url: URL) {
        let plain = APIClient(baseURL: url, session: session)
        let token = TokenAuthentication("bad", for: url) { [keychain] _ in
            let refreshToken = await keychain.refreshToken
            return await plain.result(
                for: Endpoint(.post, "token", body: .form(["refresh_token": refreshToken]), decoder: .string())
            ).map { AccessToken($0) }
        }
        let key = RequestAdapter(for: url) { [keychain] request in
            let refreshToken = await keychain.refreshToken
            request.setValue("\(refreshToken.count)", forHTTPHeaderField: "X-Length")
        }
        client = APIClient(
            baseURL: url, session: session,
            middleware: [Deadline(seconds: 600), Retry(), token, RequestID(), key, RequestLog { _ in }])
    }

    func load() async {
        switch await client.result(for: .albums(by: "AC/DC")) {
        case .success(let albums): self.albums = albums
        case .failure(let error): message = error.localizedDescription
        }
    }

    func save(_ album: Album, cover: URL) async throws(NetworkError) {
        try await client.result(for: .put(album)).get()
        let form: MultipartForm = [.field("a", value: "b"), .file("cover", cover, contentType: "image/png")]
        try await client.result(for: Endpoint(.post, "covers", body: .multipart(form))) { progress in
            Task { @MainActor in self.fraction = progress.fractionCompleted ?? 0 }
        }.get()
    }

    func loadAll(to file: URL) async throws {
        for try await page in client.pages(for: .songs(), next: { page in page.cursor.map { .songs(after: $0) } }) {
            songs += page.songs
        }
        for try await albums in client.pages(for: .all) { self.albums += albums }
        for try await event in client.events(for: Endpoint(.get, "events")) { events.append(event.data) }
        for try await albums in client.values(for: sortedAlbums()) { self.albums += albums }
        let numbers = NetworkSequence<Int> {
            var number = 0
            return { _ in
                number += 1
                return number < 3 ? number : nil
            }
        }
        for try await number in numbers { songs.append("\(number)") }
        let response = try await client.bytesResult(for: Endpoint(.get, "events")).get()
        for try await event in response.body.events { events.append(event.data) }
        _ = try await client.resumableDownloadResult(for: Endpoint(.get, "events"), to: file).get()
    }

    func loadByCounterparts(_ request: URLRequest, in session: URLSession, to file: URL) async throws {
        let result = await Retry().response(for: request) { request in
            await session.downloadResponse(for: request, to: file)
        }
        _ = try result.get()
        let data = await client.send(.all) { request in
            await session.dataResult(for: request, decoder: .response(.data))
        }
        albums += try data.get().decode(with: .json([Album].self)).get()
    }
}

struct ClientOnMainActor {
    @Test("The code of an app on the main actor works")
    func app() async throws {
        let stub = SessionStub { request in
            let isAllowed = request.value(forHTTPHeaderField: "Authorization") == "Bearer good"
            guard request.url?.path == "/token" || isAllowed else { return .response(statusCode: 401) }
            switch request.url?.lastPathComponent {
            case "token": return .text("good")
            case "albums", "year": return .json(#"[{"id": 1, "name": "Blue"}]"#)
            case "songs":
                return .json(
                    request.url?.query == nil ? #"{"songs": ["a"], "cursor": "2"}"# : #"{"songs": ["b"]}"#)
            case "events":
                let isSecond = request.value(forHTTPHeaderField: "Last-Event-ID") != nil
                guard !isSecond else { return .response(statusCode: 204) }
                return .response(
                    headers: ["Content-Type": "text/event-stream"], body: Data("retry: 1\nid: 1\ndata: a\n\n".utf8))
            default: return .response()
            }
        }
        let url = try #require(URL(string: "https://api.test"))
        let model = AlbumsModel(session: stub.session, url: url)
        await model.load()
        #expect(model.albums == [Album(id: 1, name: "Blue")])
        #expect(model.message == nil)
        #expect(stub.requests.first?.url?.absoluteString == "https://api.test/artists/AC%2FDC/albums?sort=year")
        #expect(stub.requests.first?.value(forHTTPHeaderField: "X-Request-ID") == "7")
        #expect(stub.requests.first?.value(forHTTPHeaderField: "X-Length") == "2")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("cover".utf8).write(to: file)
        try await model.save(Album(id: 2, name: "Hejira"), cover: file)
        try await model.loadAll(to: file)
        #expect(model.songs == ["a", "b", "1", "2"])
        #expect(model.events == ["a", "a"])
        #expect(model.albums.count == 3)
        var request = URLRequest(url: url.appendingPathComponent("albums"))
        request.setValue("Bearer good", forHTTPHeaderField: "Authorization")
        try await model.loadByCounterparts(request, in: stub.session, to: file)
        #expect(model.albums.count == 4)
    }
}
