import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

nonisolated struct Album: Codable, Equatable {
    let artist: String
    let name: String
    let year: Int
}

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

@Suite("Recipe: load only what changed", .inTurn)
struct ConditionalRequestRecipe {
    private let session = URLSession(configuration: .forTests)

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

    @Test("Albums that have changed replace the others, with their tag")
    func changed() async throws {
        let year = Monitor(1975)
        let server = try LoopbackServer { request, connection in
            let year = year.withLock { year in
                year += 1
                return year
            }
            let body = #"[{"artist": "A", "name": "N", "year": \#(year)}]"#
            try connection.respond(headers: ["ETag": "\"\(year)\""], body: body)
        }
        let cache = AlbumsCache(session: session, url: server.url())
        for year in 1976...1978 { #expect(try await cache.load().map(\.year) == [year]) }
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"1976\"", "\"1977\""])
    }
}
