import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@Suite("The README")
struct Readme {
    struct Album: Decodable, Equatable {
        let artist: String
        let name: String
        let year: Int
    }

    private let url: URL
    private let session = SessionStub(.json(#"[{"artist": "A", "name": "N", "year": 1976}]"#)).session
    private let albums = [Album(artist: "A", name: "N", year: 1976)]

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
    }

    @Test("The async call prints the albums, and says why there are none")
    func async() async throws {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        let answers: [SessionStub.Answer] = [
            .json(#"[{"artist": "A", "name": "N", "year": 1976}]"#), .response(statusCode: 404), .json("{}"),
        ]
        for answer in answers {
            let session = SessionStub(answer).session
            // snippet.readme-async
            let result = await session.dataResult(
                from: url,
                decoder: .json([Album].self))
            do {
                let albums = try result.get()
                print(albums)
            } catch .serverError(let status, _) {
                print("The status is \(status).")
            } catch {  // a NetworkError, too
                print(error.localizedDescription)
            }
            // snippet.end
        }
        #expect(printed.count == 3)
        #expect(printed.first == "\(albums)")
        #expect(printed.dropFirst().first == "The status is 404.")
        #expect(printed.last?.hasPrefix("The server's answer could not be read: ") == true)
    }

    @Test("The handler gets the albums")
    func handler() async throws {
        let result = await withCheckedContinuation { done in
            let show: ResultHandler<[Album]> = { done.resume(returning: $0) }
            // snippet.readme-handler
            session.dataTask(
                with: url,
                decoder: .json([Album].self)
            ) { result in
                // Result<[Album], NetworkError>
                show(result)
            }.resume()
            // snippet.end
        }
        #expect(try result.get() == albums)
    }

    @Test("The handler by hand gets the albums")
    func byHand() async throws {
        let result = await withCheckedContinuation { done in
            let show: @Sendable (Result<[Album], any Error>) -> Void = { done.resume(returning: $0) }
            // snippet.readme-by-hand
            session.dataTask(with: url) { data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode
                if let error {
                    show(.failure(error))
                } else if let data, let status, 200..<300 ~= status {
                    let albums = Result {
                        try JSONDecoder().decode([Album].self, from: data)
                    }
                    show(albums)
                } else {
                    show(.failure(URLError(.badServerResponse)))
                }
            }.resume()
            // snippet.end
        }
        #expect(try result.get() == albums)
    }

    @Test("The errors that it shows are what is printed")
    func errors() async throws {
        let unreachable = try #require(URL(string: "http://127.0.0.1:1/albums"))
        let missing = try #require(URL(string: "https://albums.test/missing"))
        let invalid = try #require(URL(string: "https://albums.test/invalid"))
        let invalidBody = #"{"albums": [{"artist": "A", "name": "N", "year": "1976"}]}"#
        let sessions = [
            (unreachable, URLSession.shared),
            (missing, SessionStub(.response(statusCode: 404)).session),
            (invalid, SessionStub(.json(invalidBody)).session),
        ]
        let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n").map(String.init)
        for (url, session) in sessions {
            let result = await session.dataResult(from: url, decoder: .json([Album].self, at: "albums"))
            let error = try #require(throws: NetworkError.self) { try result.get() }
            #expect(lines.contains("\(error)"))
            #expect(lines.contains("  \(error.localizedDescription)"))
        }
    }
}
