import Foundation
import TestSupport
import Testing

@testable import ExampleServer

@Suite("Songs on the server", .serialized)
struct SongsTests {
    @Test("A search finds all words in title and artist, whatever their case and accents")
    func search() async throws {
        try await withExampleServer { root async throws in
            let answer = try await search("ipanema%20ANTONIO", at: root)
            #expect(answer.status == 200)
            #expect(
                answer.text == #"{"resultCount":1,"results":[{"artistName":"Antônio Carlos Jobim","#
                    + #""previewUrl":"https://example.com/previews/5.m4a","trackName":"Garota de Ipanema"}]}"#
            )
            #expect(try await search("xyzzy", at: root).text == #"{"resultCount":0,"results":[]}"#)
        }
    }

    @Test(
        "A search that is not for songs, or for nothing, is answered 400",
        arguments: ["", "?term=x", "?media=music&entity=album&term=x", "?media=music&entity=song&term="]
    )
    func malformedSearch(query: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /search\(query)", at: root)
            #expect(answer.status == 400 && answer.text.hasPrefix(#"{"error":"#))
        }
    }

    @Test("The twenty-first search in a minute is answered 429, with the seconds to wait")
    func rateLimit() async throws {
        try await withExampleServer { root async throws in
            for _ in 1...20 { #expect(try await search("x", at: root).status == 200) }
            let answer = try await search("x", at: root)
            #expect(answer.status == 429)
            #expect((1...60).contains(answer.header("Retry-After").flatMap { Int($0) } ?? 0))
        }
    }

    @Test("The limit is lifted when its window is over")
    func window() async {
        let limit = RateLimit(requests: 1, seconds: 60)
        let start = Date()
        #expect(await limit.secondsToWait(now: start) == nil)
        #expect(await limit.secondsToWait(now: start + 0.5) == 60)
        #expect(await limit.secondsToWait(now: start + 59) == 1)
        #expect(await limit.secondsToWait(now: start + 60) == nil)
    }

    @Test(
        "A song is created with a bearer token, and an incomplete one is an error",
        arguments: [
            ("Bearer t", #"{"artistName":"A","trackName":"N"}"#, 201),
            ("bearer t", #"{"artistName":"A","trackName":"N"}"#, 201),
            (nil, #"{"artistName":"A","trackName":"N"}"#, 401),
            ("Basic dTpw", #"{"artistName":"A","trackName":"N"}"#, 401),
            ("Bearer t", #"{"trackName":"N"}"#, 422), ("Bearer t", #"{"trackName":"N","artistName":""}"#, 422),
            ("Bearer t", "[]", 422), ("Bearer t", "{", 400), ("Bearer t", "", 400),
        ]
    )
    func create(authorization: String?, body: String, status: Int) async throws {
        try await withExampleServer { root async throws in
            let headers = authorization.map { ["Authorization": $0] } ?? [:]
            let answer = try await Answer(to: "POST /api/song", at: root, body: body, headers: headers)
            #expect(answer.status == status)
            #expect(status == 201 ? answer.text == body : answer.text.hasPrefix(#"{"error":"#))
            #expect(answer.header("WWW-Authenticate") == (status == 401 ? "Bearer" : nil))
        }
    }

    private func search(_ term: String, at root: URL) async throws -> Answer {
        try await Answer(to: "GET /search?media=music&entity=song&term=\(term)", at: root)
    }
}
