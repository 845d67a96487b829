#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// http as FoundationNetworking loads it, where the library finds no libcurl (`Curl.loaded`).
@Suite(.inTurn)
struct WithoutLibcurlTests {
    private typealias Form = LibcurlSender.Form
    private typealias End = LibcurlSender.End

    private func send(
        _ request: URLRequest, by form: Form, in session: URLSession = URLSession(configuration: .forTests),
        countingHeadsIn heads: Monitor<Int> = Monitor(0)
    ) async throws -> End {
        try await LibcurlSender(curl: nil).send(request, by: form, in: session) { event, _ in
            if case .head = event { heads.withLock { $0 += 1 } }
        }
    }

    @Test("Responses come whole, with their status", arguments: LibcurlSender.Form.allCases, ["GET", "POST"])
    func response(_ form: LibcurlSender.Form, method: String) async throws {
        // FoundationNetworking lets no GET have a body.
        guard form != .upload || method != "GET" else { return }
        let server = try LoopbackServer { request, connection in
            let status = request.path == "/missing" ? 404 : 200
            try connection.respond(status, body: "\(request.method) \(request.text)")
        }
        let body = form == .upload ? "uploaded" : method == "POST" ? "posted" : ""
        for (path, status) in ["/": 200, "/missing": 404] {
            var request = URLRequest(url: server.url(path))
            request.httpMethod = method
            if method == "POST" { request.httpBody = Data("posted".utf8) }
            let end = try await send(request, by: form)
            #expect(end == End(status: status, body: "\(method) \(body)"))
        }
    }

    @Test("A redirect is followed", arguments: LibcurlSender.Form.allCases)
    func redirect(_ form: LibcurlSender.Form) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there")))
        let request = URLRequest(url: server.url(), method: form == .upload ? .post : .get)
        let end = try await send(request, by: form)
        #expect(end == End(status: 200, body: "there"))
        #expect(server.requests.map(\.target) == ["/", "/target"])
    }

    @Test("A Host field of the session does not follow to another origin", arguments: LibcurlSender.Form.allCases)
    func host(_ form: LibcurlSender.Form) async throws {
        let target = try LoopbackServer(.ok("there"))
        let server = try LoopbackServer(.redirect(to: target.origin, status: 307))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = ["Host": "example.com"]
        let request = URLRequest(url: server.url(), method: form == .upload ? .post : .get)
        _ = try await send(request, by: form, in: URLSession(configuration: configuration))
        #expect(target.requests.map { $0.header("Host") } == ["127.0.0.1:\(target.port)"])
    }

    @Test("A stream gets a challenge before its end, while other requests begin and end", arguments: [1, 5])
    func slowChallenge(count: Int) async throws {
        let heads = Monitor(0)
        let server = try LoopbackServer { request, connection in
            guard request.path == "/slow" else { return try connection.respond(body: "whole") }
            let field = "WWW-Authenticate: Basic realm=\"x\""
            try connection.send("HTTP/1.1 401 No\r\n\(field)\r\nContent-Length: 8\r\n\r\nhalf")
            // Such a challenge is held back for two seconds.
            heads.wait { $0 == count }
            try connection.send("half")
        }
        var slow = URLRequest(url: server.url("/slow"))
        slow.timeoutInterval = 60
        let isOver = Monitor(false)
        try await withThrowingTaskGroup(of: End.self) { group in
            for _ in 0..<count { group.addTask { [slow] in try await send(slow, by: .stream, countingHeadsIn: heads) } }
            let other = Task {
                while !isOver.value {
                    let end = try await send(URLRequest(url: server.url("/other")), by: .data)
                    #expect(end == End(status: 200, body: "whole"))
                }
            }
            for try await end in group { #expect(end == End(status: 401, body: "halfhalf")) }
            isOver.withLock { $0 = true }
            try await other.value
        }
    }

    @Test(
        "A server whose key is pinned, or that is shown a certificate, gets nothing",
        arguments: LibcurlSender.Form.allCases)
    func certificates(_ form: LibcurlSender.Form) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let pinning = URLSession(configuration: .forTests)
        pinning.pinnedPublicKeys = ["127.0.0.1": [Data(count: 32).base64EncodedString()]]
        let showing = URLSession(configuration: .forTests)
        showing.setClientCertificate(URL(fileURLWithPath: "/nowhere"), forHost: "127.0.0.1")
        for session in [pinning, showing] {
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            let request = URLRequest(url: url, method: form == .upload ? .post : .get)
            let end = try await send(request, by: form, in: session)
            #expect(end == End(error: .secureConnectionFailed))
        }
        #expect(server.connectionCounts.accepted == 0)
    }

    @Test("A refused connection is an error", arguments: LibcurlSender.Form.allCases)
    func refused(_ form: LibcurlSender.Form) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let end = try await send(URLRequest(url: url, method: form == .upload ? .post : .get), by: form)
        #expect(end == End(error: .cannotConnectToHost))
    }
}

#endif
