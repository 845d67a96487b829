import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite("A log", .inTurn)
struct RequestLogTests {
    @Test("It has two lines, with the end of the request, and no secret")
    func lines() async throws {
        let server = try LoopbackServer([
            "/ok": .ok("secret", headers: ["X-Key": "secret"]), "/bad": .status(404, "secret"),
        ])
        let lines = Monitor<[String]>([])
        let client = APIClient(
            baseURL: server.url(), session: URLSession(configuration: .forTests), headers: ["X-Key": "secret"],
            middleware: [RequestLog { line in lines.withLock { $0.append(line) } }])
        _ = await client.result(for: Endpoint(.get, "ok", query: ["key": "secret", "b": 1]))
        _ = await client.result(for: Endpoint(.post, "bad", body: .form(["a": "secret"])))
        _ = await client.result(for: Endpoint(.get, "ok", as: Int.self))
        server.stop()
        _ = await client.result(for: Endpoint(.get, "ok"))
        // The kept connection may be found closed before or after the request was sent.
        let shown = lines.value.map {
            $0.dropFirst(5).replacing(/[0-9.]+ s$/, with: "T").replacing("-1005", with: "-1004")
        }
        #expect(
            shown == [
                "GET \(server.origin)/ok?…", "200 after T", "POST \(server.origin)/bad",
                "serverError(statusCode: 404) after T", "GET \(server.origin)/ok",
                "200 after T", "GET \(server.origin)/ok", "transportError(URLError -1004) after T",
            ])
        // Two lines have one name. Two names may be equal by chance, and hardly all four.
        let names = lines.value.map { $0.prefix(4) }
        for index in stride(from: 0, to: names.count, by: 2) { #expect(names[index] == names[index + 1]) }
        #expect(Set(names).count > 1)
    }

    @Test("It shows everything if it is to: commands, and the bodies of error responses")
    func everything() async throws {
        let server = try LoopbackServer(["/ok": .ok("7"), "/bad": .status(404, "missing")])
        let lines = Monitor<[String]>([])
        let log = RequestLog(showingSecrets: true) { line in lines.withLock { $0.append(line) } }
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests), middleware: [log])
        _ = await client.result(for: Endpoint(.post, "ok", query: ["a": "b c"], body: .json([1]), as: Int.self))
        _ = await client.result(for: Endpoint(.get, "bad"))
        let shown = lines.value.map { $0.dropFirst(5).replacing(/[0-9.]+ s/, with: "T") }
        try #require(shown.count == 4)
        let command = "-H 'Accept: application/json' -H 'Content-Type: application/json' --data-raw '[1]'"
        #expect(shown[0] == "curl -X POST '\(server.origin)/ok?a=b%20c' \(command)")
        #expect(shown[1] == "200 after T")
        #expect(shown[3] == "serverError(statusCode: 404) (missing) after T")
    }

    @Test("A method cannot write a line, or move the cursor of a terminal", arguments: [true, false])
    func forgedLine(showsSecrets: Bool) async {
        let lines = Monitor<[String]>([])
        let log = RequestLog(showingSecrets: showsSecrets) { line in lines.withLock { $0.append(line) } }
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.httpMethod = "GET\r\n3F2A 200 after 0.042 s\u{1B}[A"
        _ = await log.response(for: request) { _ -> Result<NetworkResponse<Data>, NetworkError> in .failure(.noData) }
        #expect(lines.value.count == 2)
        #expect(!lines.value.contains { $0.unicodeScalars.contains { $0.value < 32 } })
    }
}
