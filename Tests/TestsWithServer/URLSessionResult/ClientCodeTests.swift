import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Code as clients have it, some of it older than this library: that it compiles is the better half of the test.
@Suite(.inTurn)
struct ClientCodeTests {
    private struct Album: Codable, Equatable, Sendable {
        var id: String
        var name: String
    }

    private let session = URLSession(configuration: .forTests)
    private let albums = Data(#"{"b": {"id": "b", "name": "B"}, "a": {"id": "a", "name": "A"}}"#.utf8)

    @Test("A decoder of one's own, over a dictionary, and a bare trailing closure of several statements")
    func article() async throws {
        let server = try LoopbackServer(.ok(albums))
        let decoder = ResultDecoder<[Album]> { data in
            try JSONDecoder().decode([String: Album].self, from: data).values.sorted { $0.id < $1.id }
        }
        let result: Result<[Album], NetworkError> = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: server.url()) { result in
                let albums = decoder.decode(result)
                continuation.resume(returning: albums)
            }
            task.resume()
        }
        #expect(try result.get().map(\.name) == ["A", "B"])
    }

    @Test("A bare trailing closure is a resultHandler", arguments: [true, false])
    func bareTrailingClosure(byURL: Bool) async throws {
        let server = try LoopbackServer(.ok("body"))
        let body = try await withCheckedThrowingContinuation { continuation in
            if byURL {
                session.dataTask(with: server.url()) { continuation.resume(with: $0) }.resume()
            } else {
                session.dataTask(with: URLRequest(url: server.url())) { result in
                    switch result {
                    case .success(let data): continuation.resume(returning: data)
                    case .failure(let error): continuation.resume(throwing: error)
                    }
                }.resume()
            }
        }
        #expect(body == Data("body".utf8))
    }

    @Test("A handler hands a model that is not Sendable on to an actor")
    func sendingHandler() async throws {
        final class Model: Decodable {
            var id: Int
        }
        @MainActor final class Screen {
            var id: Int? { model?.id }
            var model: Model?
        }
        let server = try LoopbackServer(.ok(#"{"id": 7}"#))
        let screen = await Screen()
        await withCheckedContinuation { continuation in
            session.dataTask(with: server.url(), decoder: .json(Model.self)) { result in
                Task { @MainActor in
                    screen.model = try? result.get()
                    continuation.resume()
                }
            }.resume()
        }
        #expect(await screen.id == 7)
    }

    @Test("A PUT that reports only an error", arguments: [200, 500])
    func putAlbum(status: Int) async throws {
        let server = try LoopbackServer(.status(status))
        var request = URLRequest(url: server.url("/albums/x.json"), method: .put)
        try request.setJSONBody(Album(id: "x", name: "X"))
        let error: NetworkError? = await withCheckedContinuation { continuation in
            session.dataTask(with: request, errorHandler: { continuation.resume(returning: $0) }).resume()
        }
        #expect(error?.statusCode == (status == 200 ? nil : 500))
        let sent = try #require(server.requests.first?.body)
        #expect(try JSONDecoder().decode(Album.self, from: sent) == Album(id: "x", name: "X"))
    }

    @Test("A completion handler keeps compiling, and may make its Result by hand")
    func completionHandler() async throws {
        let server = try LoopbackServer(.ok("body"))
        let result: DataResult = await withCheckedContinuation { continuation in
            session.dataTask(with: server.url()) { data, response, error in
                continuation.resume(returning: Result(data: data, response: response, error: error))
            }.resume()
        }
        #expect(try result.get() == Data("body".utf8))
    }

    @Test("A decoder is written with a leading dot, and its type follows")
    func leadingDot() async throws {
        let server = try LoopbackServer(.ok(albums))
        let values: Result<[Album], NetworkError> = await session.dataResult(from: server.url(), decoder: .jsonValues())
        #expect(try values.get().map(\.id) == ["b", "a"])
        let names = try await session.dataResult(
            from: server.url(), decoder: ResultDecoder.jsonValues(of: Album.self).map { $0.map(\.name) }
        ).get()
        #expect(names == ["B", "A"])
        let one = try await session.dataResult(from: server.url(), decoder: .json(Album.self, at: "a")).get()
        #expect(one.name == "A")
    }

    @MainActor
    @Test("A value that is not Sendable is handed to the main actor")
    func nonSendableValue() async throws {
        final class Label: Decodable {
            var name: String
        }
        let server = try LoopbackServer(.ok(#"{"name": "x"}"#))
        let label = try await session.dataResult(from: server.url(), decoder: .json(Label.self)).get()
        label.name += "y"
        #expect(label.name == "xy")
    }
}
