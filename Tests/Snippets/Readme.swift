import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@Suite("The README")
struct Readme {
    private struct Album: Decodable {
        let name: String
        let year: Int
    }

    @Test(
        "The first example prints the albums, what a 404 says, or another error",
        arguments: [
            (SessionStub.Answer.json(#"[{"name": "Blue", "year": 1971}]"#), "Blue"),
            (.text("gone", statusCode: 404, headers: ["Date": "today"]), "today 4 bytes"),
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
        do {
            let albums = try await session.dataResult(
                from: url, decoder: .json([Album].self)
            ).get()
            print(albums)
        } catch .serverError(404, let response) {
            print(response.header("Date") ?? "", response.body)
        } catch {
            print(error)  // always a NetworkError
        }
        // snippet.end

        #expect(printed.count == 1)
        #expect(printed.first?.contains(expected) == true)
    }
}
