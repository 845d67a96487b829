// Exit tests capture values from Swift 6.3 on.
#if canImport(FoundationNetworking) && compiler(>=6.3)

import Foundation
import Testing
import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What comes through a proxy to a server with TLS. libcurl passes on the head of the answer to CONNECT,
/// unless it is told not to.
///
/// Each test has a process of its own, because libcurl finds the proxy in the environment.
@Suite(.inTurn, .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."))
struct TunnelTests {
    /// A path, and what it leads to.
    private static let outcomes: KeyValuePairs = [
        "/": "200 body", "/missing": "404 missing", "/moved": "200 body", "/challenge": "401 unauthorized",
        "/broken": "500 ", "/empty": "200 ", "/unmodified": "304 ",
    ]

    /// A server that may close each connection, so that no tunnel is used again.
    private static func server(keepsConnections: Bool) throws -> LoopbackServer {
        try LoopbackServer(over: .tls(.valid)) { request, connection in
            let fields: KeyValuePairs = ["Set-Cookie": "server=1; Path=/", "Location": "/"]
            switch request.path {
            case "/missing": try connection.respond(404, headers: fields, body: "missing")
            case "/moved": try connection.respond(307, headers: fields)
            case "/challenge":
                try connection.respond(
                    401, headers: ["Set-Cookie": "server=1; Path=/", "WWW-Authenticate": "Basic realm=\"x\""],
                    body: "unauthorized")
            case "/broken": try connection.respond(500, headers: fields)
            case "/empty": try connection.respond(204, headers: fields)
            case "/unmodified": try connection.respond(304, headers: fields)
            default: try connection.respond(headers: fields, body: "body")
            }
            if !keepsConnections { connection.close() }
        }
    }

    @Test(
        "Every form gives what the server says, and stores the cookies of the server alone",
        arguments: ConnectProxy.Answer.tunnels.map(\.rawValue), [false, true])
    func forms(answer: String, keepsConnections: Bool) async {
        await #expect(processExitsWith: .success) { [answer, keepsConnections] in
            let proxy = try ConnectProxy(#require(.init(rawValue: answer)))
            proxy.use()
            let server = try Self.server(keepsConnections: keepsConnections)
            for form in APIForm.some {
                for (path, expected) in Self.outcomes {
                    let configuration = URLSessionConfiguration.forTests
                    let session = URLSession(configuration: configuration)
                    let request = URLRequest(url: server.url(path), method: form.uploads ? .put : .get)
                    let result = await form.run(session, request)
                    #expect(result.summary == expected, "\(form), \(path)")
                    let cookies = configuration.httpCookieStorage?.cookies?.map(\.name)
                    #expect(cookies == ["server"], "\(form), \(path)")
                    session.finishTasksAndInvalidate()
                }
            }
            let requestCount = server.requests.count
            // An upload that finds its kept connection closed is sent again. libcurl may have made a tunnel for it by then.
            #expect(keepsConnections ? proxy.tunnelCount < requestCount : proxy.tunnelCount >= requestCount)
            endProcess()
        }
    }

    @Test(
        "A proxy that refuses is a transport error, whose cookies are not stored",
        arguments: ConnectProxy.Answer.refusals.map(\.rawValue))
    func refusal(answer: String) async {
        await #expect(processExitsWith: .success) { [answer] in
            let proxy = try ConnectProxy(#require(.init(rawValue: answer)))
            proxy.use()
            let server = try Self.server(keepsConnections: true)
            for form in APIForm.some {
                let configuration = URLSessionConfiguration.forTests
                let session = URLSession(configuration: configuration)
                let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
                let error = await form.run(session, request).error
                #expect(
                    error?.urlError?.localizedDescription.contains("CONNECT") == true,
                    "\(form): \(String(describing: error))")
                #expect(configuration.httpCookieStorage?.cookies == [])
                session.finishTasksAndInvalidate()
            }
            #expect(server.requests.isEmpty)
            endProcess()
        }
    }

    @Test("A task shows no response before that of the server is there", arguments: ["fields", "authentication"])
    func shownResponse(answer: String) async {
        await #expect(processExitsWith: .success) { [answer] in
            let proxy = try ConnectProxy(#require(.init(rawValue: answer)))
            proxy.use()
            let gate = Gate()
            let server = try LoopbackServer(.ok("body", headers: ["X-Server": "1"]).once(gate), over: .tls(.valid))
            let session = URLSession(configuration: .forTests)
            let result = Monitor<DataResult?>(nil)
            let task = session.dataTask(with: server.url()) { end in result.withLock { $0 = end } }
            task.resume()
            if answer == "fields" { try await server.requests(atLeast: 1) }
            #expect(task.response == nil)
            gate.open()
            try await result.value { $0 != nil }
            let response = task.response as? HTTPURLResponse
            #expect(response?.value(forHTTPHeaderField: "X-Server") == (answer == "fields" ? "1" : nil))
            #expect((response == nil) == (answer == "authentication"))
            endProcess()
        }
    }

    @Test(
        "A download is resumed as the server says",
        arguments: ConnectProxy.Answer.tunnels.map(\.rawValue), [206, 200, 404, 503])
    func resumed(answer: String, status: Int) async {
        await #expect(processExitsWith: .success) { [answer, status] in
            let folder = TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            let proxy = try ConnectProxy(#require(.init(rawValue: answer)))
            proxy.use()
            let server = try LoopbackServer(over: .tls(.valid)) { request, connection in
                defer { connection.close() }
                guard request.header("Range") != nil else {
                    try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: 10)
                    return try connection.send("hello")
                }
                try connection.respond(
                    status, headers: ["ETag": status == 206 ? "\"1\"" : "\"2\"", "Content-Range": "bytes 5-9/10"],
                    body: "WORLD")
            }
            for form in ResumedDownloadForm.all {
                let session = URLSession(configuration: .forTests)
                let error = await session.downloadResult(from: server.url(), to: folder.file()).error
                let resumeData = try #require(error?.resumeData)
                let kept = try #require(ResumeData(propertyList: resumeData)).file
                let result = await form.send(session, resumeData, 200..<300, nil)
                switch status {
                case 206: #expect(result.summary == "200 helloWORLD")
                case 200: #expect(result.summary == "200 WORLD")
                default: #expect(result.summary == "\(status) WORLD")
                }
                // An error response takes nothing away.
                #expect((KeptDownloads.length(of: kept) == 5) == (status >= 400), "\(form)")
            }
            endProcess(removing: folder)
        }
    }

    @Test("A proxy that refuses leaves a download that can be resumed")
    func resumedLater() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            let server = try LoopbackServer(over: .tls(.valid)) { request, connection in
                try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: 10)
                try connection.send("hello")
                connection.close()
            }
            let session = URLSession(configuration: .forTests)
            let error = await session.downloadResult(from: server.url(), to: folder.file()).error
            let resumeData = try #require(error?.resumeData)
            for answer in ConnectProxy.Answer.refusals {
                try ConnectProxy(answer).use()
                for form in ResumedDownloadForm.all {
                    let error = await form.send(session, resumeData, 200..<300, nil).error
                    #expect(error?.resumeData.flatMap { ResumeData(propertyList: $0) }?.length == 5, "\(form)")
                }
            }
            #expect(server.requests.count == 1)
            endProcess(removing: folder)
        }
    }

    @Test("A stream has its head before its first byte, on a new and on a kept tunnel, and a long one arrives whole")
    func stream() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ConnectProxy(.fields)
            proxy.use()
            let gates = [Gate(), Gate()]
            let server = try LoopbackServer(over: .tls(.valid)) { request, connection in
                try connection.sendHead(200, headers: ["X-Server": "1"], contentLength: 5_000_000)
                gates[request.path == "/first" ? 0 : 1].wait()
                try connection.send(zeros: 5_000_000)
            }
            let session = URLSession(configuration: .forTests)
            for (path, gate) in zip(["/first", "/second"], gates) {
                let response = try await session.bytesResult(from: server.url(path)).get()
                #expect(response.header("X-Server") == "1")
                gate.open()
                var count = 0
                for try await chunk in response.body.chunks { count += chunk.count }
                #expect(count == 5_000_000)
            }
            #expect(proxy.tunnelCount == 1)
            endProcess()
        }
    }

    /// Why the library tells libcurl to suppress the heads of a proxy.
    @Test("URLSession alone gives a delegate the head of a proxy")
    func rawHead() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ConnectProxy(.fields)
            proxy.use()
            let server = try LoopbackServer(.status(404), over: .tls(.valid))
            let delegate = HeadDelegate()
            let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
            session.dataTask(with: server.url()).resume()
            try await delegate.isOver.value { $0 }
            #expect(delegate.codes.value == [200, 404])
            // The end of a session aborts the process if it has a connection with TLS (libcurl 8.9 and later).
            _ = Unmanaged.passRetained(session)
            endProcess()
        }
    }
}

/// Notes the heads that URLSession gives it.
private final class HeadDelegate: NSObject, URLSessionDataDelegate {
    let codes = Monitor<[Int?]>([])
    let isOver = Monitor(false)

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        codes.withLock { $0.append((response as? HTTPURLResponse)?.statusCode) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        isOver.withLock { $0 = true }
    }
}

extension Result where Success == Data, Failure == NetworkError {
    /// The status and the body. A success is one of 200.
    fileprivate var summary: String {
        switch self {
        case .success(let body): "200 \(String(decoding: body, as: UTF8.self))"
        case .failure(.serverError(let code, let response)):
            "\(code) \(String(decoding: response.body, as: UTF8.self))"
        case .failure(let error): "\(error)"
        }
    }
}

#endif
