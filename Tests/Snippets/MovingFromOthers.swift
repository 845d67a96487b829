import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@Suite("Moving from Alamofire or Get")
struct MovingFromOthers {
    private let token = "token"
    private let stub = SessionStub(.json(albumsJSON))
    private let session: URLSession
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
        session = stub.session
    }

    @Test("Fetching and decoding")
    func fetch() async throws {
        // snippet.fetch
        let albums = try await session.dataResult(
            from: url, decoder: .json([Album].self)
        ).get()
        // snippet.end
        #expect(albums.count == 2)
    }

    @Test("Sending JSON with a token")
    func send() async throws {
        let album = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)
        // snippet.send
        var request = try URLRequest(url: url, method: .post, json: album)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        try await session.dataResult(for: request, decoder: .ignored).get()
        // snippet.end
        #expect(stub.requests.first?.value(forHTTPHeaderField: "Authorization") == "Bearer token")
    }

    @Test("A token for every request")
    func authorized() {
        let request = URLRequest(url: url).authorized(with: token)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)")
    }

    @Test("Reading an error response")
    func errorResponse() async throws {
        let session = SessionStub(.text("busy", statusCode: 429, headers: ["Retry-After": "30"])).session
        var printed: [String] = []
        func print(_ body: String, _ seconds: String) { printed += [body, seconds] }
        // snippet.error-response
        let answer = await session.dataResult(from: url)
        if case .failure(let error) = answer, let response = error.response {
            let body = String(decoding: response.body, as: UTF8.self)
            print(body, response.header("Retry-After") ?? "")
        }
        // snippet.end
        #expect(printed == ["busy", "30"])
    }

    @Test("Status and headers of a success")
    func metadata() async throws {
        // snippet.metadata
        let response = try await session.dataResult(
            from: url, decoder: .response(.json([Album].self))
        ).get()
        let statusCode = response.statusCode
        let tag = response.header("ETag")
        // snippet.end
        #expect(response.body.count == 2)
        #expect(statusCode == 200)
        #expect(tag == nil)
    }
}

// snippet.token
extension URLRequest {
    /// The request with a token for the API.
    func authorized(with token: String) -> URLRequest {
        var request = self
        request.setValue(
            "Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}
// snippet.end
