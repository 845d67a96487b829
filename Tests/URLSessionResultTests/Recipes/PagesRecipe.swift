import Foundation
import Testing
import URLSessionResult

struct Album: Codable, Equatable {
    let artist: String
    let name: String
    let year: Int
}

// snippet.next-page
extension NetworkResponse {
    /// The page that `Link: <…>; rel="next"` names (RFC 8288).
    var nextPage: URL? {
        for link in (header("Link") ?? "").split(separator: "<") {
            let parts = link.split(separator: ">", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let parameters = parts[1].split(separator: ";").map {
                $0.trimmingCharacters(in: .init(charactersIn: " ,"))
            }
            guard parameters.contains("rel=\"next\"") else { continue }
            let page = URL(
                string: String(parts[0]), relativeTo: urlResponse.url)
            return page?.absoluteURL
        }
        return nil
    }
}

func allAlbums(
    from firstPage: URL, in session: URLSession
) async throws(NetworkError) -> [Album] {
    var albums: [Album] = []
    var nextPage: URL? = firstPage
    while let page = nextPage {
        let response = try await session.dataResult(
            from: page, decoder: .response(.json([Album].self))
        ).get()
        albums += response.body
        nextPage = response.nextPage
    }
    return albums
}
// snippet.end

// snippet.cache
/// Albums that are sent only if they changed.
actor AlbumsCache {
    private let session: URLSession
    private let url: URL
    private var albums: [Album] = []
    private var tag: String?

    init(session: URLSession, url: URL) {
        self.session = session
        self.url = url
    }

    func load() async throws(NetworkError) -> [Album] {
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        let result = await session.dataResult(
            for: request, decoder: .response(.json([Album].self)))
        if case .failure(.serverError(304, _)) = result {
            return albums
        }
        let response = try result.get()
        albums = response.body
        tag = response.header("ETag")
        return albums
    }
}
// snippet.end

@Suite("Recipes: pages and conditional requests", .inTurn)
struct PagesRecipe {
    private let session = URLSession(configuration: .ephemeral)

    private func page(_ year: Int, link: String) -> LoopbackServer.Response {
        .ok(#"[{"artist": "A", "name": "N", "year": \#(year)}]"#, headers: ["Link": link])
    }

    @Test("Every page that Link names is read, in order, also by a relative address with commas")
    func pages() async throws {
        let server = try LoopbackServer([
            "/1": page(1, link: #"</0>; rel="prev", </2?fields=a,b>; title="b"; rel="next", </3>; rel="last""#),
            "/2": page(2, link: #"</3>; rel="next""#),
            "/3": page(3, link: #"</1>; rel="first""#),
        ])
        let albums = try await allAlbums(from: server.url("/1"), in: session)
        #expect(albums.map(\.year) == [1, 2, 3])
        #expect(server.requests.map(\.target) == ["/1", "/2?fields=a,b", "/3"])
    }

    @Test("A page that fails is the error")
    func failingPage() async throws {
        let server = try LoopbackServer(["/1": page(1, link: #"</2>; rel="next""#)])
        let error = await #expect(throws: NetworkError.self) {
            try await allAlbums(from: server.url("/1"), in: session)
        }
        #expect(error?.statusCode == 404)
    }

    @Test("Albums that have not changed are not sent again")
    func conditionalRequest() async throws {
        let server = try LoopbackServer { request, connection in
            if request.header("If-None-Match") == #""7""# {
                try connection.respond(304)
            } else {
                let body = #"[{"artist": "A", "name": "N", "year": 1976}]"#
                try connection.respond(headers: ["ETag": #""7""#], body: body)
            }
        }
        let cache = AlbumsCache(session: session, url: server.url())
        let first = try await cache.load()
        let second = try await cache.load()
        #expect(first.map(\.year) == [1976])
        #expect(second == first)
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, #""7""#])
    }
}
