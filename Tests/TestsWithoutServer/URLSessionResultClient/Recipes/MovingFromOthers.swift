import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

struct MovingFromOthers {
    private struct Album: Codable {
        let artist: String
        let name: String
        let year: Int
    }

    private let folder = TemporaryFolder()
    private let stub = SessionStub(.json(#"[{"artist": "Joni Mitchell", "name": "Blue", "year": 1971}]"#))
    private let client: APIClient
    private let api: URL

    init() throws {
        api = try #require(URL(string: "https://albums.test/v1"))
        client = APIClient(baseURL: api, session: stub.session)
    }

    @Test("Fetching and decoding")
    func fetch() async throws {
        // snippet.fetch
        let albums = try await client.result(
            for: Endpoint(.get, "albums", as: [Album].self)
        ).get()
        // snippet.end
        #expect(albums.count == 1)
    }

    @Test("Sending JSON")
    func send() async throws {
        let album = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)
        // snippet.send
        try await client.result(
            for: Endpoint(.post, "albums", body: .json(album))
        ).get()
        // snippet.end
        #expect(stub.requests.first?.httpMethod == "POST")
        #expect(stub.requests.first?.url?.path == "/v1/albums")
    }

    @Test("Reading an error response")
    func errorResponse() async throws {
        stub.answer(.text("busy", statusCode: 429, headers: ["Retry-After": "30"]))
        var printed: [String] = []
        func print(_ body: String, _ seconds: TimeInterval) { printed += [body, "\(seconds)"] }
        // snippet.error-response
        let answer = await client.result(for: Endpoint(.get, "albums"))
        if case .failure(let error) = answer {
            print(error.body(with: .string()) ?? "", error.retryAfter ?? 0)
        }
        // snippet.end
        #expect(printed == ["busy", "30.0"])
    }

    @Test("A token for every request, and retries")
    func token() async throws {
        let session = stub.session
        // snippet.token
        let token = TokenAuthentication("secret", for: api)
        let authorized = APIClient(
            baseURL: api, session: session, middleware: [Retry(), token])
        // snippet.end
        try await authorized.result(for: Endpoint(.get, "albums")).get()
        #expect(stub.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
    }

    @Test("A download with progress")
    func download() async throws {
        let file = folder.file("album.flac")
        // snippet.client-download
        _ = try await client.downloadResult(
            for: Endpoint(.get, "album.flac"), to: file,
            progress: { progress in
                print(progress.fractionCompleted ?? 0)
            }
        ).get()
        // snippet.end
        #expect(FileManager.default.fileExists(atPath: file.path))
    }
}
