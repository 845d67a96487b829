import Foundation
import TestSupport
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import search_songs

@Suite("Songs", .serialized)
struct SongsTests {
    private let server = URL(filePath: "/")

    @Test("A new search cancels the previous one only")
    func newestWins() async throws {
        let stub = SessionStub { request in
            request.url?.query()?.contains("slow") == true ? .never : .json(#"{"results":[]}"#)
        }
        let api = SongsAPI(server: server, session: stub.session)
        async let older = api.searchSongs(by: "slow")
        try await stub.requests(atLeast: 1)
        #expect(try await api.searchSongs(by: "fast").get() == [])

        guard case .executionFailed(let error) = await older.failure else { Issue.record("no failure"); return }
        #expect(error.isCancelled)
        #expect(try await api.searchSongs(by: "fast").get() == [])
    }

    @Test("A search cancels no song that is being created, and creating one cancels no search")
    func creationStays() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { request in
            if request.httpMethod == "GET" { return .json(#"{"results":[]}"#) }
            try await gate.opened()
            return .json(#"{"trackName":"N","artistName":"A"}"#, statusCode: 201)
        }
        let api = SongsAPI(server: server, session: stub.session)
        let song = Song(trackName: "N", artistName: "A")
        async let created = api.createSong(song)
        try await stub.requests(atLeast: 1)
        #expect(try await api.searchSongs(by: "x").get() == [])
        gate.open()
        #expect(try await created.get() == song)
    }

    @Test("Cancelling the caller cancels the request")
    func cancelledCaller() async throws {
        let stub = SessionStub(.never)
        let api = SongsAPI(server: server, session: stub.session)
        let caller = Task { await api.searchSongs(by: "x") }
        try await stub.requests(atLeast: 1)
        caller.cancel()
        guard case .executionFailed(let error) = await caller.value.failure else { Issue.record("no failure"); return }
        #expect(error.isCancelled)
    }

    @Test("A song is sent as JSON, with the token")
    func create() async throws {
        let stub = SessionStub(.json(#"{"trackName":"N","artistName":"A"}"#, statusCode: 201))
        let song = Song(trackName: "N", artistName: "A")
        #expect(try await SongsAPI(server: server, token: "t", session: stub.session).createSong(song).get() == song)
        let request = try #require(stub.requests.first)
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(Song.self, from: #require(request.httpBody)) == song)
    }

    @Test("Without a token, no request has one")
    func withoutToken() async throws {
        let stub = SessionStub(.json(#"{"results":[]}"#))
        _ = try await SongsAPI(server: server, session: stub.session).searchSongs(by: "x").get()
        #expect(stub.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [nil])
    }

    @Test(
        "A term is percent-encoded",
        arguments: [("zeca pagodinho", "zeca%20pagodinho"), ("AC/DC&x=1", "AC%2FDC%26x%3D1"), ("a+b", "a%2Bb")])
    func percentEncoding(term: String, encoded: String) async throws {
        let server = try #require(URL(string: "https://itunes.apple.com"))
        let url = try APIClient(baseURL: server).request(for: .songs(by: term)).url
        #expect(url?.absoluteString == "https://itunes.apple.com/search?media=music&entity=song&term=\(encoded)")
    }

    @Test("Too many requests: the error says when to come back")
    func retryAfter() async {
        let stub = SessionStub(.response(statusCode: 429, headers: ["Retry-After": "30"]))
        let error = await SongsAPI(server: server, session: stub.session).searchSongs(by: "x").failure
        #expect(error?.localizedDescription.hasSuffix("Try again in 30 seconds.") == true)
    }
}
