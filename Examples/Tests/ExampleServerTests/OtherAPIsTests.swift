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
        "A movie comes by its id, and needs a token",
        arguments: [
            ("/3/movie/129", true, 200, #""runtime":125"#), ("/3/movie/129", false, 401, ""),
            ("/3/movie/1", true, 404, #"{"status_message":"There is no movie with this id."}"#),
            ("/3/movie/x", true, 404, #"{"status_message":"There is no movie with this id."}"#),
            ("/3/movie/top_rated", false, 401, ""),
        ]
    )
    func movie(path: String, hasToken: Bool, status: Int, content: String) async throws {
        try await withExampleServer { [token] root async throws in
            let answer = try await Answer(to: "GET \(path)", at: root, headers: hasToken ? token : [:])
            #expect(answer.status == status)
            #expect(content.isEmpty ? answer.text.isEmpty : answer.text.contains(content))
        }
    }

    @Test("A post comes by its number", arguments: [("1", 200), ("99", 404), ("x", 404), ("-1", 404)])
    func post(id: String, status: Int) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /posts/\(id)", at: root)
            #expect(answer.status == status && answer.text.contains("three optionals") == (status == 200))
        }
    }

    @Test(
        "An echo comes in an envelope, and so does an error",
        arguments: [
            (#"{"value":"Ünï"}"#, 200, #"{"json":{"value":"Ünï"}}"#),
            (#"{"value":""}"#, 422, #"{"error":{"code":422,"message":"The body has no value to echo."}}"#),
        ]
    )
    func echo(body: String, status: Int, text: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "POST /post", at: root, body: body)
            #expect(answer.status == status && answer.text == text)
        }
    }

    @Test("The picture is a PNG of a few megabytes")
    func image() async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /image.png", at: root)
            #expect(answer.header("Content-Type") == "image/png")
            #expect(answer.data.count == 3_687_708 && answer.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }
}
