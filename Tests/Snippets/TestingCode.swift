// snippet.client
import Foundation
import URLSessionResult

nonisolated struct Album: Codable, Equatable {
    let artist: String
    let name: String
    let year: Int
}

actor AlbumsClient {
    private let session: URLSession
    private let url: URL
    private var token = "first"

    init(session: URLSession, url: URL) {
        self.session = session
        self.url = url
    }

    /// Gets the albums. Renews the token if the server refuses it.
    func albums() async -> Result<[Album], NetworkError> {
        let result = await load()
        guard case .failure(.serverError(statusCode: 401, _)) = result
        else { return result }
        let answer = await session.dataResult(
            from: url.appendingPathComponent("token"),
            decoder: .string())
        guard case .success(let newToken) = answer
        else { return result }
        token = newToken
        return await load()
    }

    func save(_ album: Album) async throws(NetworkError) {
        let request = try URLRequest(
            url: url, method: .put, json: album)
        try await session.dataResult(
            for: request, decoder: .ignored
        ).get()
    }

    private func load() async -> Result<[Album], NetworkError> {
        var request = URLRequest(url: url)
        request.setValue(
            "Bearer \(token)", forHTTPHeaderField: "Authorization")
        return await session.dataResult(
            for: request, decoder: .json([Album].self))
    }
}
// snippet.end

import Testing
import URLSessionResultTesting

let url = URL(string: "https://albums.test/") ?? URL(fileURLWithPath: "/")

// snippet.offline-test
@Test("Being offline reaches the caller")
func offline() async {
    let stub = SessionStub(
        .failure(URLError(.notConnectedToInternet)))
    let client = AlbumsClient(session: stub.session, url: url)

    let error = await #expect(throws: NetworkError.self) {
        try await client.albums().get()
    }
    #expect(error?.urlError?.code == .notConnectedToInternet)
}
// snippet.end

// snippet.renewal-test
@Test("After a 401, the token is renewed")
func renewal() async throws {
    let stub = SessionStub(
        .response(statusCode: 401), .text("second"), .json("[]"))
    let client = AlbumsClient(session: stub.session, url: url)

    #expect(try await client.albums().get().isEmpty)
    let sent = stub.requests.map {
        $0.value(forHTTPHeaderField: "Authorization")
    }
    #expect(sent == ["Bearer first", nil, "Bearer second"])
}
// snippet.end

// snippet.sent-test
@Test("An album is saved as JSON")
func save() async throws {
    let stub = SessionStub(.response(statusCode: 204))
    let client = AlbumsClient(session: stub.session, url: url)
    let blue = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)

    try await client.save(blue)

    let request = try #require(stub.requests.first)
    #expect(request.httpMethod == "PUT")
    let type = request.value(forHTTPHeaderField: "Content-Type")
    #expect(type == "application/json")
    let body = try #require(request.httpBody)
    #expect(try JSONDecoder().decode(Album.self, from: body) == blue)
}
// snippet.end

// snippet.routes
let albumsServer = SessionStub { request in
    switch (request.httpMethod, request.url?.path) {
    case ("GET", "/"): .json("[]")
    case ("PUT", "/"): .response(statusCode: 204)
    default: .response(statusCode: 404)
    }
}
// snippet.end

// snippet.xctest
import XCTest

nonisolated final class AlbumsClientTests: XCTestCase {
    func testThereMayBeNoAlbums() async throws {
        let stub = SessionStub(.json("[]"))
        let client = AlbumsClient(session: stub.session, url: url)
        let albums = try await client.albums().get()
        XCTAssertTrue(albums.isEmpty)
    }
}
// snippet.end

@Test("A stub answers by path")
func routes() async throws {
    let session = albumsServer.session
    #expect(try await session.dataResult(from: url).get() == Data("[]".utf8))
    let missing = await session.dataResult(from: url.appendingPathComponent("x"))
    #expect(throws: NetworkError.self) { try missing.get() }
    try await session.dataResult(for: URLRequest(url: url, method: .put), decoder: .ignored).get()
}

// snippet.redirect-test
/// Authorizes the next request if it goes to the new server.
nonisolated final class MoveDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = newRequest
        if request.url?.host == "new.albums.test" {
            request.setValue(
                "Bearer first", forHTTPHeaderField: "Authorization")
        }
        completionHandler(request)
    }
}

@Test("After a move, the new server gets the token")
func move() async throws {
    let newURL = try #require(URL(string: "https://new.albums.test/"))
    let stub = SessionStub(.redirect(to: newURL), .json("[]"))
    let session = URLSession(
        configuration: stub.session.configuration,
        delegate: MoveDelegate(), delegateQueue: nil)
    let client = AlbumsClient(session: session, url: url)

    #expect(try await client.albums().get().isEmpty)

    let last = try #require(stub.requests.last)
    #expect(last.url == newURL)
    let token = last.value(forHTTPHeaderField: "Authorization")
    #expect(token == "Bearer first")
}
// snippet.end
