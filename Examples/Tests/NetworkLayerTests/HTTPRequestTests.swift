import Foundation
import TestSupport
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import search_songs

private enum Resource: APIResource {
    case slow, fast

    var endpoint: Endpoint {
        switch self {
        case .slow: Endpoint(path: "slow")
        case .fast: Endpoint(path: "fast")
        }
    }
}

@Suite("The request service", .serialized)
struct HTTPRequestTests {
    private let server = URL(filePath: "/")

    @Test("A new request cancels the previous one only")
    func newestWins() async throws {
        let stub = SessionStub { $0.url?.lastPathComponent == "slow" ? .never : .text("fast") }
        let service = HTTPRequest(server: server, session: stub.session)
        async let older = service.send(.slow)
        try await stub.requests(atLeast: 1)
        let newer = await service.send(.fast)

        #expect(try newer.get() == "fast")
        #expect(await older.failure?.isCancelled == true)
        #expect(try await service.send(.fast).get() == "fast")
    }

    @Test("The request has the method, the headers and the encoded body it was given")
    func request() async throws {
        let stub = SessionStub(.response())
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.keyEncodingStrategy = .convertToSnakeCase
        _ = await HTTPRequest(server: server, session: stub.session).execute(
            for: Resource.fast, method: .put, body: Song(trackName: "N", artistName: "A"),
            headers: ["Authorization": "Bearer t"], decoder: .string(), encoder: encoder)
        let request = try #require(stub.requests.first)
        #expect(request.httpMethod == "PUT")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.httpBody == Data(#"{"artist_name":"A","track_name":"N"}"#.utf8))
    }

    @Test("Cancelling the caller cancels the request")
    func cancelledCaller() async throws {
        let stub = SessionStub(.never)
        let service = HTTPRequest(server: server, session: stub.session)
        let caller = Task { await service.send(.slow) }
        try await stub.requests(atLeast: 1)
        caller.cancel()
        #expect(await caller.value.failure?.isCancelled == true)
    }

    @Test("A body that cannot be encoded is an encoding error, and nothing is sent")
    func encodingError() async {
        let stub = SessionStub(.response())
        let error = await HTTPRequest(server: server, session: stub.session)
            .execute(for: Resource.fast, body: [Double.infinity], decoder: .string()).failure
        guard case .encodingError = error else { Issue.record("\(String(describing: error))"); return }
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "A term is percent-encoded",
        arguments: [("zeca pagodinho", "zeca%20pagodinho"), ("AC/DC&x=1", "AC/DC%26x%3D1")])
    func percentEncoding(term: String, encoded: String) throws {
        let server = try #require(URL(string: "https://itunes.apple.com"))
        let uri = SongsResource.songsList(by: term).endpoint.uri(on: server)
        #expect(uri.absoluteString == "https://itunes.apple.com/search?media=music&entity=song&term=\(encoded)")
    }

    @Test("Too many requests: the error says when to come back")
    func retryAfter() async {
        let stub = SessionStub(.response(statusCode: 429, headers: ["Retry-After": "30"]))
        let error = await SongsAPI(server: server, session: stub.session).searchSongs(by: "x").failure
        #expect(error?.localizedDescription.hasSuffix("Try again in 30 seconds.") == true)
    }
}

extension HTTPRequest {
    fileprivate func send(_ resource: Resource) async -> Result<String, NetworkError> {
        await execute(for: resource, decoder: .string())
    }
}
