#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// http as FoundationNetworking loads it, where the library finds no libcurl (`Curl.loaded`).
@Suite(.inTurn)
struct WithoutLibcurlTests {
    /// How a request is sent and its response is taken.
    enum Form: CaseIterable, Sendable {
        case data, upload, download, stream
    }

    private struct End: Equatable {
        var status: Int?
        var body = ""
        var error: URLError.Code?
    }

    /// Sends a request by a transfer that differs from any other in its load alone.
    private func send(
        _ request: URLRequest, by form: Form, in session: URLSession = URLSession(configuration: .forTests),
        countingHeadsIn heads: Monitor<Int> = Monitor(0)
    ) async throws -> End {
        var dependencies = TransferDependencies()
        dependencies.makeLoad = { loader, request, transaction in
            guard case .http = loader else { throw URLError(.unsupportedURL) }
            return try Loader.makeLoadWithoutLibcurl(of: request, for: transaction)
        }
        let stream = form == .stream ? Stream(countingHeadsIn: heads) : nil
        let end = Monitor<End?>(nil)
        let kind: TaskKind =
            switch form {
            case .data, .stream: .data
            case .upload: .upload(.data(Data("uploaded".utf8)))
            case .download: .download
            }
        let transfer = Transfer(
            session: session, request: request, kind: kind, receiver: stream, dependencies: dependencies
        ) { outcome in
            let file = outcome.file.flatMap { try? Data(contentsOf: $0) }
            let body = stream?.body.value ?? file ?? outcome.data ?? Data()
            let response = stream?.head.value ?? outcome.response
            let noted = End(
                status: (response as? HTTPURLResponse)?.statusCode, body: String(decoding: body, as: UTF8.self),
                error: outcome.error.map { ($0 as? URLError)?.code ?? .unknown })
            end.withLock { $0 = noted }
        }
        let task: URLSessionTask =
            switch form {
            case .data, .stream: CallersDataTask(transfer)
            case .upload: CallersUploadTask(transfer)
            case .download: CallersDownloadTask(transfer)
            }
        task.resume()
        return try #require(try await end.value { $0 != nil })
    }

    @Test("Responses come whole, with their status", arguments: Form.allCases, ["GET", "POST"])
    func response(_ form: Form, method: String) async throws {
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

    @Test("A redirect is followed", arguments: Form.allCases)
    func redirect(_ form: Form) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there")))
        let request = URLRequest(url: server.url(), method: form == .upload ? .post : .get)
        let end = try await send(request, by: form)
        #expect(end == End(status: 200, body: "there"))
        #expect(server.requests.map(\.target) == ["/", "/target"])
    }

    @Test("A Host field of the session does not follow to another origin", arguments: Form.allCases)
    func host(_ form: Form) async throws {
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

    @Test("A server whose key is pinned, or that is shown a certificate, gets nothing", arguments: Form.allCases)
    func certificates(_ form: Form) async throws {
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

    @Test("A refused connection is an error", arguments: Form.allCases)
    func refused(_ form: Form) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let end = try await send(URLRequest(url: url, method: form == .upload ? .post : .get), by: form)
        #expect(end == End(error: .cannotConnectToHost))
    }
}

/// Takes a response while it arrives.
private final class Stream: ResponseReceiver {
    let head = Monitor<URLResponse?>(nil)
    let body = Monitor(Data())
    private let heads: Monitor<Int>

    init(countingHeadsIn heads: Monitor<Int>) { self.heads = heads }

    func receive(_ head: URLResponse, of task: URLSessionTask, isTimed: Bool) {
        self.head.withLock { $0 = head }
        heads.withLock { $0 += 1 }
    }

    func receive(_ data: Data, of task: URLSessionTask) { body.withLock { $0 += data } }
    func patienceIsOver(with task: URLSessionTask) {}
    func complete(with error: (any Error)?) {}
}

#endif
