#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Responses that end too early, at every byte.
@Suite(.inTurn)
struct CutResponseTests {
    /// All with the body `abc`.
    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Name: a\r\n folded\r\n\r\nabc",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n",
    ]

    @Test(
        "A connection that closes at any byte of a response is lost, in every form and over each transport",
        arguments: APIForm.some, responses)
    func cut(_ form: APIForm, response: String) async throws {
        let bytes = Data(response.utf8)
        for transport in LoopbackServer.Transport.trusted {
            let count = Monitor(0)
            let server = try LoopbackServer(over: transport) { _, connection in
                try connection.send(bytes.prefix(count.value))
                connection.close()
            }
            let session = URLSession(configuration: .forTests)
            let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
            // libcurl takes the last line of a body in chunks for whole at its CR.
            for length in 0..<bytes.count - (response.hasSuffix("\r\n") ? 1 : 0) {
                count.withLock { $0 = length }
                let error = await form.run(session, request).error
                #expect(error?.urlError?.code == .networkConnectionLost, "\(length) of \(bytes.count) bytes")
            }
            count.withLock { $0 = bytes.count }
            #expect(try await form.run(session, request).get() == Data((form.givesBody ? "abc" : "").utf8))
        }
    }

    @Test(
        "A stream that fails before its response ends as the request does, whatever heads came before",
        arguments: ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
        APIForm.some.filter { !$0.uploads })
    func interim(head: String, form: APIForm) async throws {
        let server = try LoopbackServer([
            "/silent": .stalled(after: head), "/closed": .raw(head), "/reset": .reset(after: head),
            "/broken": .raw(head + "HTTP/1.1 abc\r\n\r\n"),
        ])
        let codes: [String: URLError.Code] = [
            "/silent": .timedOut, "/closed": .networkConnectionLost, "/reset": .networkConnectionLost,
            "/broken": .cannotParseResponse,
        ]
        for (path, code) in codes {
            var request = URLRequest(url: server.url(path))
            request.timeoutInterval = path == "/silent" ? 1 : 60
            let error = await form.run(URLSession(configuration: .forTests), request).error
            #expect(error?.urlError?.code == code, "\(path)")
        }
    }
}

#endif
