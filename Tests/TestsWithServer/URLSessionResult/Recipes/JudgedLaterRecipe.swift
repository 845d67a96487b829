import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.optional-endpoint
nonisolated extension Endpoint where Value == Album? {
    static func album(_ id: Int) -> Endpoint {
        Endpoint<Album>(
            .get, "albums/\(id)", accepting: [200, 404]
        ).optional
    }
}
// snippet.end

/// Recipe: judge the status code later.
@Suite(.inTurn)
struct JudgedLaterRecipe {
    private let session = URLSession(configuration: .forTests)

    /// What the code of an app makes of a response.
    private func search(_ url: URL) async throws -> String {
        var state = ""
        // snippet.any-status
        let response = try await session.dataResult(
            from: url, decoder: .response(.data), accepting: 0...999
        ).get()
        switch response.statusCode {
        case 202: state = "in progress"
        case 404: state = "nothing found"
        default:
            let albums = response.decode(
                with: .json([Album].self), accepting: 200..<300)
            state = "\(try albums.get().count) albums"
        }
        // snippet.end
        return state
    }

    @Test(
        "Every status code is a response, and the caller decides which are errors",
        arguments: [(200, "1 albums"), (202, "in progress"), (404, "nothing found")])
    func status(_ status: Int, state: String) async throws {
        let server = try LoopbackServer(.status(status, #"[{"id": 7, "title": "N", "releasedAt": 0}]"#))
        #expect(try await search(server.url()) == state)
    }

    @Test("An album that is not there is nil, and a 404 with a body is an error")
    func missingAlbum() async throws {
        let blue = #"{"id": 7, "title": "Blue", "releasedAt": 0}"#
        let stub = SessionStub(
            .response(statusCode: 404), .json(blue), .json(#"{"message": "No album."}"#, statusCode: 404))
        let client = APIClient(baseURL: try #require(URL(string: "https://api.test")), session: stub.session)
        #expect(try await client.result(for: .album(7)).get() == nil)
        #expect(try await client.result(for: .album(7)).get()?.title == "Blue")
        guard case .failure(.decodingError) = await client.result(for: .album(7)) else {
            return #expect(Bool(false))
        }
        let strict = Endpoint(.get, "albums/7", as: Album.self)
        guard case .failure(.serverError(404, _)) = await client.result(for: strict) else {
            return #expect(Bool(false))
        }
    }

    @Test("An error that is judged later has its body and headers, as at once", arguments: [500, 304, 600])
    func error(_ status: Int) async throws {
        let server = try LoopbackServer(.status(status, status == 304 ? "" : "busy", headers: ["Retry-After": "7"]))
        let error = await #expect(throws: NetworkError.self) { try await search(server.url()) }
        let atOnce = await session.dataResult(from: server.url(), decoder: .json([Album].self)).error
        #expect(error?.statusCode == status)
        #expect(error?.response?.body == atOnce?.response?.body)
        #expect(error?.response?.header("Retry-After") == "7")
    }

    @Test("A body that cannot be decoded keeps its response")
    func undecodable() async throws {
        let server = try LoopbackServer(.ok("[", headers: ["X-Request-Id": "7"]))
        let error = await #expect(throws: NetworkError.self) { try await search(server.url()) }
        #expect(error?.response?.header("X-Request-Id") == "7")
        #expect(error?.statusCode == nil)
    }
}
