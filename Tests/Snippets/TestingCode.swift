import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet.client
struct AlbumsClient: Sendable {
    let session: URLSession
    let url: URL

    func albums() async -> Result<[Album], NetworkError> {
        await session.dataResult(from: url, decoder: .jsonValues(of: Album.self))
    }
}
// snippet.end

// snippet.stubbed-test
@Test("A refusal of the server reaches the caller")
func refusal() async throws {
    let url = try #require(URL(string: "https://albums.test/refused.json"))
    let session = StubProtocol.session(
        answering: url, with: .response(statusCode: 403, body: "not you"))

    let result = await AlbumsClient(session: session, url: url).albums()

    let error = #expect(throws: NetworkError.self) { try result.get() }
    #expect(error?.statusCode == 403)
    #expect(error?.response?.body == Data("not you".utf8))
}
// snippet.end

@Test("Being offline reaches the caller")
func offline() async throws {
    let url = try #require(URL(string: "https://albums.test/offline.json"))
    // snippet.stubbed-failure
    let session = StubProtocol.session(
        answering: url, with: .failure(URLError(.notConnectedToInternet)))
    // snippet.end
    let error = await #expect(throws: NetworkError.self) {
        try await AlbumsClient(session: session, url: url).albums().get()
    }
    #expect(error?.urlError?.code == .notConnectedToInternet)
}

@Test("A refusal can be made by hand")
func handmadeRefusal() throws {
    let url = try #require(URL(string: "https://albums.test/"))
    // snippet.handmade-refusal
    let response = HTTPURLResponse(
        url: url, statusCode: 403, httpVersion: nil, headerFields: ["X-Request-Id": "7"])
    let error = NetworkError(data: Data("not you".utf8), response: response, error: nil)
    // snippet.end
    #expect(error?.statusCode == 403)
    #expect(error?.response?.header("X-Request-Id") == "7")
}

// snippet.decoder-test
@Test("Albums are read in the order of the document")
func order() throws {
    let body = Data(
        #"""
        {"z": {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976},
         "a": {"artist": "Arthur Verocai", "name": "Arthur Verocai", "year": 1972}}
        """#.utf8)
    let decoder = ResultDecoder.jsonValues(of: Album.self)
    let albums = try decoder.decode(.success(body)).get()
    #expect(albums.map(\.year) == [1976, 1972])
}
// snippet.end

// snippet.view-model
struct AlbumsViewModel {
    let albums: @Sendable () async -> Result<[Album], NetworkError>

    func message() async -> String {
        switch await albums() {
        case .success(let albums): "\(albums.count) albums"
        case .failure(let error): error.localizedDescription
        }
    }
}

@Test("A timeout is explained")
func timeout() async {
    let model = AlbumsViewModel { .failure(.transportError(URLError(.timedOut))) }
    let message = await model.message()
    #expect(message == "The server did not answer in time. Try again later.")
}
// snippet.end
