import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Moving from Alamofire or Get")
struct MovingFromOthers {
    private let token = "token"
    private let session: URLSession
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://albums.test/\(UUID().uuidString)"))
        session = StubProtocol.session(
            answering: url, with: .response(body: #"[{"artist": "A", "name": "N", "year": 1976}]"#))
    }

    @Test("Fetching and decoding")
    func fetch() async throws {
        // snippet.fetch
        let result = await session.dataResult(from: url, decoder: .jsonArray(of: Album.self))
        let albums = try result.get()
        // snippet.end
        #expect(albums.count == 1)
    }

    @Test("Sending JSON with a token")
    func send() async throws {
        let album = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)
        // snippet.send
        var request = URLRequest(url: url, method: .post)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        try request.setJSONBody(album)
        try await session.dataResult(for: request, decoder: .ignored).get()
        // snippet.end
    }

    @Test("A token for every request")
    func authorized() {
        let request = URLRequest(url: url).authorized(with: token)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)")
    }

    @Test("A query")
    func query() {
        // snippet.query
        var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        components?.queryItems = [URLQueryItem(name: "year", value: "1976")]
        // snippet.end
        #expect(components?.url?.query == "year=1976")
    }

    @Test("Status and headers of a success")
    func response() async throws {
        let request = URLRequest(url: url)
        // snippet.response
        let result = await session.dataResult(for: request, decoder: .response(.jsonArray(of: Album.self)))
        let response = try result.get()
        let statusCode = response.statusCode
        let tag = response.header("ETag")
        // snippet.end
        #expect(response.body.count == 1)
        #expect(statusCode == 200)
        #expect(tag == nil)
    }

    @Test("Trying again")
    func retry() async throws {
        let url = try #require(URL(string: "https://albums.test/retry"))
        let session = StubProtocol.session(answering: url, with: .failure(URLError(.networkConnectionLost)))
        // snippet.retry
        var result = await session.dataResult(from: url)
        for _ in 1...2 {
            guard case .failure(.transportError) = result, !Task.isCancelled else { break }
            result = await session.dataResult(from: url)
        }
        // snippet.end
        #expect(throws: NetworkError.self) { try result.get() }
    }
}

// snippet.token
extension URLRequest {
    /// The request with a token for the API.
    func authorized(with token: String) -> URLRequest {
        var request = self
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}
// snippet.end
