import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@Suite("The README")
struct Readme {
    private let url: URL
    private let session: URLSession

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
        session = SessionStub(.json(#"[{"artist": "A", "name": "N", "year": 1976}]"#)).session
    }

    @Test("The function by hand gives the albums")
    func byHand() async throws {
        // snippet.readme-before
        struct Album: Decodable {
            let artist: String
            let name: String
            let year: Int
        }

        struct UnexpectedResponse: Error {
            let statusCode: Int?
        }

        func loadAlbums(
            from url: URL, session: URLSession,
            completion: @escaping @Sendable (Result<[Album], any Error>) -> Void
        ) {
            session.dataTask(with: url) { data, response, error in
                let statusCode = (response as? HTTPURLResponse)?.statusCode
                if let error {
                    completion(.failure(error))
                } else if let data, let statusCode, 200..<300 ~= statusCode {
                    let albums = Result {
                        try JSONDecoder().decode([Album].self, from: data)
                    }
                    completion(albums)
                } else {
                    completion(.failure(UnexpectedResponse(statusCode: statusCode)))
                }
            }.resume()
        }
        // snippet.end
        let albums = try await withCheckedThrowingContinuation { done in
            loadAlbums(from: url, session: session) { done.resume(with: $0) }
        }
        #expect(albums.map(\.year) == [1976])
    }

    @Test("The function with a twin gives the albums")
    func withTwin() async throws {
        // snippet.readme-after
        func loadAlbums(
            from url: URL, session: URLSession,
            completion: @escaping ResultHandler<[Album]>
        ) {
            session.dataTask(
                with: url, decoder: .json([Album].self), resultHandler: completion
            ).resume()
        }
        // snippet.end
        let albums = try await withCheckedThrowingContinuation { done in
            loadAlbums(from: url, session: session) { done.resume(with: $0) }
        }
        #expect(albums.map(\.year) == [1976])
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
            #expect(lines.contains("    \(error.localizedDescription)"))
        }
    }
}
