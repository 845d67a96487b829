import Foundation
import Testing

@testable import URLSessionResultTesting

struct StubbedServerTests {
    /// Counting the requests again with each of them would take minutes.
    @Test("A server answers a hundred thousand requests, and opens the gates of those who wait for them")
    func manyRequests() async throws {
        let server = StubbedServer(answers: .inTurn([.response()]), configuration: .ephemeral)
        let request = URLRequest(url: try #require(URL(string: "https://albums.test/")))
        let count = 100_000
        let gate = server.arrival(of: count)
        for _ in 0..<count { _ = try await server.answer(request, at: server.expectRequest()) }
        try await gate.opened()
        #expect(server.requests.count == count)
    }
}
