// snippet.client
import Foundation
import URLSessionResult

nonisolated struct Album: Codable, Equatable {
    let artist: String
    let name: String
    let year: Int
}

nonisolated struct AlbumsClient: Sendable {
    let session: URLSession
    let url: URL

    func albums() async -> Result<[Album], NetworkError> {
        await session.dataResult(
            from: url, decoder: .json([Album].self))
    }

    func save(_ album: Album) async throws(NetworkError) {
        let request = try URLRequest(
            url: url, method: .put, json: album)
        try await session.dataResult(
            for: request, decoder: .ignored
        ).get()
    }
}
// snippet.end

import Testing
import URLSessionResultTesting

let url = URL(string: "https://albums.test/") ?? URL(fileURLWithPath: "/")

// snippet.view-model
@MainActor
final class AlbumsViewModel {
    private(set) var albums: [Album] = []
    private(set) var isLoading = false
    private(set) var message: String?
    private let load: () async -> Result<[Album], NetworkError>

    init(load: @escaping () async -> Result<[Album], NetworkError>) {
        self.load = load
    }

    func refresh() async {
        isLoading = true
        message = nil
        defer { isLoading = false }
        switch await load() {
        case .success(let albums):
            self.albums = albums
        case .failure where Task.isCancelled:
            break
        case .failure(let error):
            message = error.localizedDescription
        }
    }
}
// snippet.end

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

// snippet.routes
let albumsServer = SessionStub { request in
    switch (request.httpMethod, request.url?.path) {
    case ("GET", "/"): .json("[]")
    case ("PUT", "/"): .response(statusCode: 204)
    default: .response(statusCode: 404)
    }
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

// snippet.loading-test
@MainActor
@Test("A view model is loading until the answer is there")
func loadingState() async throws {
    let gate = SessionStub.Gate()
    let stub = SessionStub { _ in
        try await gate.opened()
        return .json("[]")
    }
    let client = AlbumsClient(session: stub.session, url: url)
    let model = AlbumsViewModel { await client.albums() }

    let refresh = Task { await model.refresh() }
    try await stub.requests(atLeast: 1)
    #expect(model.isLoading)

    gate.open()
    await refresh.value
    #expect(!model.isLoading)
}
// snippet.end

// snippet.cancellation-test
@MainActor
@Test("A refresh that is cancelled shows no message")
func cancellation() async throws {
    let stub = SessionStub(.never)
    let client = AlbumsClient(session: stub.session, url: url)
    let model = AlbumsViewModel { await client.albums() }

    let refresh = Task { await model.refresh() }
    try await stub.requests(atLeast: 1)
    refresh.cancel()
    await refresh.value

    #expect(model.message == nil)
}
// snippet.end

// snippet.pieces
@Test("Events are read while they arrive")
func events() async throws {
    let gate = SessionStub.Gate()
    let stub = SessionStub { _ in
        .stream { body in
            body.write("data: one\n\n")
            try await gate.opened()
            body.write("data: two\n\n")
        }
    }
    let response = try await stub.session.bytesResult(from: url).get()
    var events: [String] = []
    for try await event in response.body.events {
        events.append(event.data)
        gate.open()
    }
    #expect(events == ["one", "two"])
}
// snippet.end

// snippet.decoder-test
@Test("An album has an artist, a name and a year")
func albumDecoder() throws {
    let json = #"[{"artist": "A", "name": "N", "year": 1976}]"#
    let body = Data(json.utf8)
    let decoder = ResultDecoder.json([Album].self)

    let albums = try decoder.decode(.success(body)).get()

    #expect(albums.map(\.year) == [1976])
}
// snippet.end

// snippet.view-model-test
@MainActor
@Test("A timeout is explained")
func timeout() async {
    let model = AlbumsViewModel {
        .failure(.transportError(URLError(.timedOut)))
    }

    await model.refresh()

    let message = model.message ?? ""
    #expect(message.hasPrefix("The server did not answer in time."))
}
// snippet.end

// snippet.handmade-error
@MainActor
@Test("A view model shows the status code")
func statusCode() async throws {
    let response = HTTPURLResponse(
        url: url, statusCode: 403, httpVersion: nil,
        headerFields: ["X-Request-Id": "7"])
    let error = try #require(
        NetworkError(data: Data(), response: response, error: nil))
    let model = AlbumsViewModel { .failure(error) }

    await model.refresh()

    #expect(model.message?.contains("403") == true)
}
// snippet.end

// snippet.protocol
protocol AlbumsSession: Sendable {
    func dataResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError>
}

extension URLSession: AlbumsSession {
    func dataResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        await dataResult(
            for: request, decoder: decoder, accepting: 200..<300)
    }
}

struct MockSession: AlbumsSession {
    let result: DataResult

    func dataResult<T: Sendable>(
        for request: URLRequest, decoder: ResultDecoder<T>
    ) async -> Result<T, NetworkError> {
        result.decode(with: decoder)
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

@Test("A session behind a protocol answers, and does not call itself", arguments: [true, false])
func sessionBehindProtocol(isMock: Bool) async throws {
    let stubbed = SessionStub(.json(albumsJSON)).session
    let session: any AlbumsSession = isMock ? MockSession(result: .success(Data(albumsJSON.utf8))) : stubbed
    let albums = await session.dataResult(for: URLRequest(url: url), decoder: .json([Album].self))
    #expect(try albums.get().count == 2)
}
