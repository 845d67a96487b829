import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@Suite("The README")
struct Readme {
    private let url: URL
    private let answers: [SessionStub.Answer] = [
        .json(#"[{"name": "Blue", "year": 1971}]"#), .response(statusCode: 404), .json("{}"),
        .failure(URLError(.timedOut)),
    ]

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
    }

    @Test("The first example prints the albums, or why there are none")
    func async() async {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        for answer in answers {
            let session = SessionStub(answer).session
            // snippet.readme-async
            nonisolated struct Album: Decodable {
                let name: String
                let year: Int
            }

            switch await session.dataResult(
                from: url,
                decoder: .json([Album].self)
            ) {
            case .success(let albums):
                print(albums)
            case .failure(let error):
                print(error)
            }
            // snippet.end
        }
        #expect(printed.count == 4)
        #expect(printed.first?.contains(#"name: "Blue", year: 1971"#) == true)
        #expect(printed.dropFirst().first == "serverError(statusCode: 404)")
        #expect(printed.dropFirst(2).first?.hasPrefix("decodingError(") == true)
        #expect(printed.last == "transportError(URLError -1001)")
    }

    @Test("The handler without the library does that, too, but keeps nothing of a 404 but its number")
    func byHand() async {
        var printed: [String] = []
        for answer in answers {
            let session = SessionStub(answer).session
            let text = await withCheckedContinuation { done in
                let print: @Sendable (Any) -> Void = { done.resume(returning: "\($0)") }
                // snippet.readme-by-hand
                session.dataTask(with: url) { data, response, error in
                    if let error { return print(error) }
                    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                    guard let data, 200..<300 ~= status else { return print(status) }
                    do {
                        print(try JSONDecoder().decode([Album].self, from: data))
                    } catch {
                        print(error)
                    }
                }.resume()
                // snippet.end
            }
            printed.append(text)
        }
        #expect(printed.count == 4)
        #expect(printed.first?.contains("Blue") == true)
        #expect(printed.dropFirst().first == "404")
    }

    private struct Album: Decodable {
        let name: String
        let year: Int
    }
}
