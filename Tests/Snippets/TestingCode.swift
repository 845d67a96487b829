// snippet.client
import Foundation
import URLSessionResult

struct Album: Codable, Equatable {
    let artist: String
    let name: String
    let year: Int
}

struct AlbumsClient: Sendable {
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

struct AlbumsViewModel {
    let albums: @Sendable () async -> Result<[Album], NetworkError>

    func message() async -> String {
        switch await albums() {
        case .success(let albums): "\(albums.count) albums"
        case .failure(let error): error.localizedDescription
        }
    }
}
// snippet.end

import Testing

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
@Test("A timeout is explained")
func timeout() async {
    let model = AlbumsViewModel {
        .failure(.transportError(URLError(.timedOut)))
    }

    let message = await model.message()

    #expect(message.hasPrefix("The server did not answer in time."))
}
// snippet.end

// snippet.handmade-error
@Test("A view model shows the status code")
func statusCode() async throws {
    let url = try #require(URL(string: "https://albums.test/"))
    let response = HTTPURLResponse(
        url: url, statusCode: 403, httpVersion: nil,
        headerFields: ["X-Request-Id": "7"])
    let error = try #require(
        NetworkError(data: Data(), response: response, error: nil))
    let model = AlbumsViewModel { .failure(error) }

    let message = await model.message()

    #expect(message.contains("403"))
}
// snippet.end

// snippet.stubbed-test
@Test("An error response reaches the caller")
func errorResponse() async throws {
    let url = try #require(URL(string: "https://albums.test/403"))
    let session = StubProtocol.session(
        answering: url,
        with: .response(statusCode: 403, body: "not you"))

    let result = await AlbumsClient(session: session, url: url).albums()

    let error = #expect(throws: NetworkError.self) { try result.get() }
    #expect(error?.statusCode == 403)
    #expect(error?.response?.body == Data("not you".utf8))
}
// snippet.end

// snippet.sent-test
@Test("An album is saved as JSON")
func save() async throws {
    let url = try #require(URL(string: "https://albums.test/saved"))
    let session = StubProtocol.session(
        answering: url, with: .response())
    let blue = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)

    try await AlbumsClient(session: session, url: url).save(blue)

    let request = try #require(StubProtocol.requests(to: url).first)
    #expect(request.httpMethod == "PUT")
    let type = request.value(forHTTPHeaderField: "Content-Type")
    #expect(type == "application/json")
    let body = try #require(request.httpBody)
    let sent = try JSONDecoder().decode(Album.self, from: body)
    #expect(sent == blue)
}
// snippet.end

// snippet.stubbed-failure
@Test("Being offline reaches the caller")
func offline() async throws {
    let url = try #require(URL(string: "https://albums.test/offline"))
    let session = StubProtocol.session(
        answering: url,
        with: .failure(URLError(.notConnectedToInternet)))

    let result = await AlbumsClient(session: session, url: url).albums()

    let error = #expect(throws: NetworkError.self) { try result.get() }
    #expect(error?.urlError?.code == .notConnectedToInternet)
}
// snippet.end

// snippet.xctest
import XCTest

final class AlbumsClientTests: XCTestCase {
    func testErrorResponseReachesTheCaller() async throws {
        let url = try XCTUnwrap(
            URL(string: "https://albums.test/xctest"))
        let session = StubProtocol.session(
            answering: url, with: .response(statusCode: 403))

        let client = AlbumsClient(session: session, url: url)

        do {
            let albums = try await client.albums().get()
            XCTFail("The client gave \(albums.count) albums.")
        } catch {
            XCTAssertEqual(error.statusCode, 403)
        }
    }
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

@Test("A session behind a protocol answers, and does not call itself", arguments: [true, false])
func sessionBehindProtocol(isMock: Bool) async throws {
    let url = try #require(URL(string: "https://albums.test/protocol-\(isMock)"))
    let stubbed = StubProtocol.session(answering: url, with: .response(body: albumsJSON))
    let session: any AlbumsSession = isMock ? MockSession(result: .success(Data(albumsJSON.utf8))) : stubbed
    let albums = await session.dataResult(for: URLRequest(url: url), decoder: .json([Album].self))
    #expect(try albums.get().count == 2)
}
