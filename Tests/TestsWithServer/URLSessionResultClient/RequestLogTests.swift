import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
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
        let shown = lines.value.map { $0.withoutNumbers.replacing("-1005", with: "-1004") }
        #expect(
            shown == [
                "GET \(server.origin)/ok?…", "200 after T, 6 bytes", "POST \(server.origin)/bad",
                "serverError(statusCode: 404) after T, 6 bytes", "GET \(server.origin)/ok",
                "200 after T, 6 bytes", "GET \(server.origin)/ok", "transportError(URLError -1004) after T",
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
        let shown = lines.value.map(\.withoutNumbers)
        try #require(shown.count == 4)
        let command = "-H 'Accept: application/json' -H 'Content-Type: application/json' --data-raw '[1]'"
        #expect(shown[0] == "curl -X POST '\(server.origin)/ok?a=b%20c' \(command)")
        #expect(shown[1] == "200 after T, 1 bytes")
        #expect(shown[3] == "serverError(statusCode: 404) (missing) after T, 7 bytes")
    }

    @Test("The bytes are those of the file of a download, and those of a stream are not known yet")
    func bytes() async throws {
        let folder = TemporaryFolder()
        let server = try LoopbackServer(.ok("seven b"))
        let lines = Monitor<[String]>([])
        let log = RequestLog { line in lines.withLock { $0.append(line) } }
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests), middleware: [log])
        let endpoint = Endpoint(.get, "ok", decoder: .data)
        #expect(await client.downloadResult(for: endpoint, to: folder.file("a")).error == nil)
        #expect(await client.bytesResult(for: endpoint).error == nil)
        let ends = lines.value.filter { $0.contains(" 200 ") }.map(\.withoutNumbers)
        #expect(ends == ["200 after T, 7 bytes", "200 after T"])
    }

    @Test("It has the metrics of success and failure, if there are any", arguments: [nil, 1000])
    func metrics(maximumBodySize: Int?) async throws {
        let server = try LoopbackServer(["/ok": .ok("7"), "/bad": .status(404, "missing")])
        let lines = Monitor<[String]>([])
        let log = RequestLog { line in lines.withLock { $0.append(line) } }
        let session = URLSession(configuration: .forTests)
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: [log], maximumBodySize: maximumBodySize)
        let folder = TemporaryFolder()
        let endpoint = Endpoint(.get, "ok", decoder: .data)
        #expect(try await client.response(for: endpoint).get().metrics != nil)
        _ = await client.result(for: Endpoint(.get, "bad"))
        _ = await client.result(
            for: Endpoint(.post, "ok", body: .data(Data(count: 70_000), contentType: "application/zip")),
            progress: { _ in })
        _ = await client.result(for: Endpoint(.post, "ok", body: .multipart([.field("a", value: "b")])))
        #expect(try await client.downloadResponse(for: endpoint, to: folder.file("a")).get().metrics != nil)
        #expect(try await client.resumableDownloadResponse(for: endpoint, to: folder.file("b")).get().metrics != nil)
        let ends = lines.value.filter { $0.contains(" after ") }.map { $0.split(separator: "; ").last ?? "" }
        #expect(ends.count == 6)
        for end in ends { #expect(end.wholeMatch(of: /http\/1\.1, (new|kept) connection, .*end [0-9.]+ s/) != nil) }
        let stub = SessionStub(.text("7"))
        defer { stub.session.finishTasksAndInvalidate() }
        let stubbed = APIClient(baseURL: server.url(), session: stub.session, middleware: [log])
        #expect(try await stubbed.response(for: endpoint).get().metrics == nil)
        #expect(lines.value.last?.hasSuffix(" s, 1 bytes") == true)
    }

    @Test("It has a command for each failure alone, if it is to", arguments: [true, false])
    func failures(showsSecrets: Bool) async throws {
        let server = try LoopbackServer(["/ok": .ok("7"), "/bad": .status(404, "missing")])
        let lines = Monitor<[String]>([])
        let log = RequestLog(showingSecrets: showsSecrets, curlOfFailures: true) { line in
            lines.withLock { $0.append(line) }
        }
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests), middleware: [log])
        _ = await client.result(for: Endpoint(.get, "ok", query: ["a": "b"]))
        _ = await client.result(for: Endpoint(.delete, "bad", query: ["a": "b"]))
        let query = showsSecrets ? "?a=b" : "?…"
        let body = showsSecrets ? " (missing)" : ""
        #expect(
            lines.value.map(\.withoutNumbers) == [
                "GET \(server.origin)/ok\(query)", "200 after T, 1 bytes", "DELETE \(server.origin)/bad\(query)",
                "serverError(statusCode: 404)\(body) after T, 7 bytes",
                "curl -X DELETE '\(server.origin)/bad\(query)'",
            ])
        #expect(lines.value[2].prefix(4) == lines.value[4].prefix(4))
    }

    @Test("A request that is cancelled is no failure that needs a command")
    func cancelled() async {
        let lines = Monitor<[String]>([])
        let log = RequestLog(curlOfFailures: true) { line in lines.withLock { $0.append(line) } }
        let request = URLRequest(url: URL(fileURLWithPath: "/"))
        for code in [URLError.cancelled, .timedOut] {
            _ = await log.response(for: request) { _ -> Result<NetworkResponse<Data>, NetworkError> in
                .failure(.transportError(URLError(code)))
            }
        }
        #expect(lines.value.count == 5)
        #expect(lines.value.last?.contains(" curl ") == true)
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

extension String {
    /// The line without its name, its times and the metrics.
    fileprivate var withoutNumbers: String {
        String(dropFirst(5)).replacing(/; http\/1\.1.*/, with: "").replacing(/[0-9.]+ s/, with: "T")
    }
}
