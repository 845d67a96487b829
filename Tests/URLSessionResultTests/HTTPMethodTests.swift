import Foundation
import Testing
import URLSessionResult

@Suite(.inTurn)
struct HTTPMethodTests {
    @Test(
        "A request is sent with its method",
        arguments: [
            (.get, "GET"), (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"), (.delete, "DELETE"), (.head, "HEAD"),
            (.options, "OPTIONS"), ("PROPFIND", "PROPFIND"),
        ] as [(HTTPMethod, String)])
    func methods(method: HTTPMethod, name: String) async throws {
        let server = try LoopbackServer(.ok())
        let request = URLRequest(url: server.url(), method: method)
        _ = try await URLSession(configuration: .forTests).dataResult(for: request).get()
        #expect(server.requests.map(\.method) == [name])
    }

    @Test("HEAD gives an empty body")
    func head() async throws {
        let server = try LoopbackServer(.ok("body"))
        let request = URLRequest(url: server.url(), method: .head)
        #expect(try await URLSession(configuration: .forTests).dataResult(for: request).get() == Data())
    }
}
