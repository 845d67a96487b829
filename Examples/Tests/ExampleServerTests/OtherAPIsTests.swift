import Foundation
import TestSupport
import Testing

@Suite("Movies, posts, echoes and pictures on the server", .serialized)
struct OtherAPIsTests {
    private let token = ["Authorization": "Bearer t"]

    @Test("The best movies come as a page, without their runtime")
    func topRated() async throws {
        try await withExampleServer { [token] root async throws in
            let answer = try await Answer(to: "GET /3/movie/top_rated", at: root, headers: token)
            #expect(answer.status == 200)
            #expect(answer.text.hasPrefix(#"{"page":1,"results":[{"id":238,"overview":"An ageing head"#))
            #expect(answer.text.hasSuffix(#"}],"total_pages":1,"total_results":7}"#))
            #expect(!answer.text.contains("runtime"))
        }
    }

    @Test(
        "A movie comes by its id, and what is wrong has TMDB's code",
        arguments: [
            ("/3/movie/129", true, 200, #""runtime":125"#), ("/3/movie/129", false, 401, #""status_code":7"#),
            ("/3/movie/1", true, 404, #""status_code":34"#), ("/3/movie/x", true, 404, #""status_code":34"#),
            ("/3/movie/top_rated", false, 401, #""status_code":7"#),
            ("/3/movie/top_rated?page=2", true, 400, #""status_code":22"#),
            ("/3/movie/top_rated?page=x", true, 400, #""status_code":22"#),
        ]
    )
    func movie(path: String, hasToken: Bool, status: Int, content: String) async throws {
        try await withExampleServer { [token] root async throws in
            let answer = try await Answer(to: "GET \(path)", at: root, headers: hasToken ? token : [:])
            #expect(answer.status == status && answer.text.contains(content))
            #expect(answer.header("WWW-Authenticate") == (status == 401 ? "Bearer" : nil))
        }
    }

    @Test("A post comes by its number", arguments: [("1", 200), ("99", 404), ("x", 404), ("-1", 404)])
    func post(id: String, status: Int) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /posts/\(id)", at: root)
            #expect(answer.status == status)
            #expect(answer.text.hasPrefix(status == 200 ? #"{"body":"# : #"{"error":"#))
        }
    }

    @Test(
        "An echo comes in an envelope, and so do its errors",
        arguments: [
            (#"{"value":"Ünï"}"#, 200, #"{"json":{"value":"Ünï"},"url":"/post"}"#),
            (#"{"value":""}"#, 422, #"{"error":{"code":422,"message":"The body has no value to echo."}}"#),
            ("{}", 422, #"{"error":{"code":422,"message":"The body has no value to echo."}}"#),
            ("{", 400, #"{"error":{"code":400,"message":"The body is not JSON."}}"#),
        ]
    )
    func echo(body: String, status: Int, text: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "POST /post", at: root, body: body)
            #expect(answer.status == status && answer.text == text)
        }
    }

    @Test("The picture is a PNG of a few megabytes, the same every time")
    func image() async throws {
        try await withExampleServer { root async throws in
            let first = try await Answer(to: "GET /image.png", at: root)
            let second = try await Answer(to: "GET /image.png", at: root)
            #expect(first.header("Content-Type") == "image/png")
            #expect(first.header("Content-Length") == "3687708")
            #expect(first.data == second.data)
        }
    }
}
