import Foundation
import TestSupport
import Testing

@Suite("Songs on the server", .serialized)
struct SongsTests {
    @Test("A search finds all words in title and artist, whatever their case and accents")
    func search() async throws {
        try await withExampleServer { root async throws in
            let found = try await Answer(to: "GET /search?media=music&entity=song&term=ipanema%20ANTONIO", at: root)
            #expect(
                found.text == #"{"results":[{"artistName":"Antônio Carlos Jobim","#
                    + #""previewUrl":"https://example.com/previews/5.m4a","trackName":"Garota de Ipanema"}]}"#
            )
            let nothing = try await Answer(to: "GET /search?media=music&entity=song&term=xyzzy", at: root)
            #expect(nothing.status == 200 && nothing.text == #"{"results":[]}"#)
        }
    }

    @Test("A song is created with a token", arguments: [("Bearer t", 201), (nil, 401)])
    func create(authorization: String?, status: Int) async throws {
        let song = #"{"artistName":"A","trackName":"N"}"#
        try await withExampleServer { root async throws in
            let headers = authorization.map { ["Authorization": $0] } ?? [:]
            let answer = try await Answer(to: "POST /api/song", at: root, body: song, headers: headers)
            #expect(answer.status == status && answer.text == (status == 201 ? song : ""))
        }
    }

    @Test("The radio sends an event for each song")
    func nowPlaying() async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /now-playing?interval=0", at: root)
            #expect(answer.status == 200 && answer.header("Content-Type") == "text/event-stream")
            #expect(answer.text.hasPrefix("event: song\ndata: {"))
        }
    }

    @Test("The slow songs are one document")
    func slowSongs() async throws {
        struct Document: Decodable { let results: [[String: String]] }
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /slow-songs?interval=0", at: root)
            #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
            #expect(try JSONDecoder().decode(Document.self, from: answer.data).results.count == 13)
        }
    }
}
