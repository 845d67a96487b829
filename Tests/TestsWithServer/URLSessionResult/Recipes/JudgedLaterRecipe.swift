import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

// snippet.judged-later
nonisolated extension NetworkResponse where Body == Data {
    /// What a method with this decoder would have given.
    func result<T>(
        decoder: ResultDecoder<T>,
        accepting statusCodes: some StatusCodes = 200..<300
    ) -> Result<T, NetworkError> {
        let error = NetworkError(
            data: body, response: urlResponse, error: nil,
            accepting: statusCodes)
        if let error { return .failure(error) }
        return decode(with: decoder)
    }
}
// snippet.end

@Suite("Recipe: judge the status code later", .inTurn)
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
            let albums = response.result(decoder: .json([Album].self))
            state = "\(try albums.get().count) albums"
        }
        // snippet.end
        return state
    }

    @Test(
        "Every status code is a response, and the caller decides which are errors",
        arguments: [(200, "1 albums"), (202, "in progress"), (404, "nothing found")])
    func status(_ status: Int, state: String) async throws {
        let server = try LoopbackServer(.status(status, #"[{"artist": "A", "name": "N", "year": 1976}]"#))
        #expect(try await search(server.url()) == state)
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
