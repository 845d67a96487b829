import FlyingFox
import Foundation
import TestSupport
import Testing
import URLSessionResult

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
    @Test("A new request cancels the previous one only")
    func newestWins() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let handler: @Sendable (FlyingFox.HTTPRequest) async throws -> HTTPResponse = { request in
            if request.path == "/slow" {
                arrival.yield()
                try await waitUntilCancelled()
            }
            return HTTPResponse(statusCode: .ok, body: Data(request.path.utf8))
        }
        try await withServer(handler: handler) { root async throws in
            let service = search_songs.HTTPRequest(server: root)
            async let older = service.send(.slow)
            for await _ in arrivals { break }
            let newer = await service.send(.fast)

            #expect(try newer.get() == "/fast")
            #expect(await older.failure?.isCancelled == true)
            #expect(try await service.send(.fast).get() == "/fast")
        }
    }

    @Test("The request has the method, the headers and the encoded body it was given")
    func request() async throws {
        let handler: @Sendable (FlyingFox.HTTPRequest) async throws -> HTTPResponse = { request in
            let body = String(decoding: try await request.bodyData, as: UTF8.self)
            let words = [request.method.rawValue, request.headers[.authorization], request.headers[.contentType], body]
            return HTTPResponse(statusCode: .ok, body: Data(words.compactMap(\.self).joined(separator: "|").utf8))
        }
        try await withServer(handler: handler) { root async throws in
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            encoder.keyEncodingStrategy = .convertToSnakeCase
            let text = try await search_songs.HTTPRequest(server: root).execute(
                for: Resource.fast, method: .put, body: Song(trackName: "N", artistName: "A"),
                headers: ["Authorization": "Bearer t"], decoder: .string(), encoder: encoder
            ).get()
            #expect(text == #"PUT|Bearer t|application/json|{"artist_name":"A","track_name":"N"}"#)
        }
    }

    @Test("Cancelling the caller cancels the request")
    func cancelledCaller() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let handler: @Sendable (FlyingFox.HTTPRequest) async throws -> HTTPResponse = { _ in
            arrival.yield()
            try await waitUntilCancelled()
            return HTTPResponse(statusCode: .ok)
        }
        try await withServer(handler: handler) { root async throws in
            let caller = Task { await search_songs.HTTPRequest(server: root).send(.slow) }
            for await _ in arrivals { break }
            caller.cancel()
            #expect(await caller.value.failure?.isCancelled == true)
        }
    }

    @Test("A body that cannot be encoded is an encoding error, and nothing is sent")
    func encodingError() async throws {
        let server = try #require(URL(string: "http://127.0.0.1:1"))
        let error = await search_songs.HTTPRequest(server: server)
            .execute(for: Resource.fast, body: [Double.infinity], decoder: .string()).failure
        guard case .encodingError = error else { Issue.record("\(String(describing: error))"); return }
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
    func retryAfter() async throws {
        try await withServer(answering: 429, headers: ["Retry-After": "30"]) { root async throws in
            let error = await SongsAPI(server: root).searchSongs(by: "x").failure
            #expect(error?.localizedDescription.hasSuffix("Try again in 30 seconds.") == true)
        }
    }
}

extension search_songs.HTTPRequest {
    fileprivate func send(_ resource: Resource) async -> Result<String, NetworkError> {
        await execute(for: resource, decoder: .string())
    }
}

/// Suspends until the server cancels the handler.
private func waitUntilCancelled() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    try await withTaskCancellationHandler {
        for await _ in stream {}
        try Task.checkCancellation()
    } onCancel: {
        continuation.finish()
    }
}
