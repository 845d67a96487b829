import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

/// The README.
struct Readme {
    private struct Album: Decodable {
        let name: String
        let year: Int
    }

    @Test(
        "The first example prints the albums, or the error with what the server says about it",
        arguments: [
            (SessionStub.Answer.json(#"[{"name": "Blue", "year": 1971}]"#), "Blue"),
            (.json(#"{"message": "Sign in first."}"#, statusCode: 403), "serverError(statusCode: 403) Sign in first."),
            (.response(statusCode: 500), "serverError(statusCode: 500)"),
            (.json("{}"), "decodingError("),
            (.failure(URLError(.timedOut)), "transportError(URLError -1001)"),
        ])
    func firstExample(answer: SessionStub.Answer, expected: String) async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let url = try #require(URL(string: "https://albums.test/"))
        let session = SessionStub(answer).session

        // snippet.readme-async
        switch await session.dataResult(
            from: url, decoder: .json([Album].self)
        ) {
        case .success(let albums):
            print(albums)
        case .failure(let error):
            let reason = error.body(with: .json(String.self, at: "message"))
            print(error, reason ?? "")
        }
        // snippet.end

        #expect(printed.count == 1)
        #expect(printed.first?.contains(expected) == true)
    }
}
