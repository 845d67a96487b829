// Exit tests capture values from Swift 6.3 on.
#if canImport(FoundationNetworking) && compiler(>=6.3)

import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

/// What a client gets through a proxy to a server with TLS. libcurl passes on the head of the answer to CONNECT.
///
/// Each test has a process of its own, because libcurl finds the proxy in the environment.
@Suite(.inTurn, .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."))
struct ClientProxyTests {
    @Test(
        "Every kind of request gives what the server says, whatever a body may measure",
        arguments: ConnectProxy.Answer.tunnels.map(\.rawValue), [nil, 1000])
    func kinds(answer: String, maximumBodySize: Int?) async {
        await #expect(processExitsWith: .success) { [answer, maximumBodySize] in
            let proxy = try ConnectProxy(#require(.init(rawValue: answer)))
            proxy.use()
            let server = try LoopbackServer(
                ["/a": .done, "/b": .status(500, "broken"), "/c": .redirect(to: "/a", status: 307)],
                over: .tls(.valid))
            let client = APIClient(
                baseURL: server.url(), session: URLSession(configuration: .forTests), maximumBodySize: maximumBodySize)
            for kind in RequestKind.allCases {
                #expect(try await kind.text(client).get() == RequestKind.body, "\(kind)")
                #expect(try await kind.text(client, "c").get() == RequestKind.body, "\(kind)")
                #expect(await kind.text(client, "missing").error?.statusCode == 404, "\(kind)")
                // A stream of events begins anew after an error of the server.
                guard kind != .events else { continue }
                #expect(await kind.text(client, "b").error?.statusCode == 500, "\(kind)")
            }
            #expect(proxy.tunnelCount > 0)
            endProcess()
        }
    }

    @Test(
        "A resumable download goes on, or begins anew, as the server says",
        arguments: ConnectProxy.Answer.tunnels.map(\.rawValue), [false, true])
    func resumableDownload(answer: String, isChanged: Bool) async {
        await #expect(processExitsWith: .success) { [answer, isChanged] in
            let proxy = try ConnectProxy(#require(.init(rawValue: answer)))
            proxy.use()
            let server = try LoopbackServer(over: .tls(.valid)) { request, connection in
                defer { connection.close() }
                if request.header("Range") == nil {
                    try connection.sendHead(200, headers: ["ETag": "\"1\""], contentLength: 10)
                    try connection.send("hello")
                } else if isChanged {
                    try connection.respond(headers: ["ETag": "\"2\""], body: "HELLOworld")
                } else {
                    try connection.respond(
                        206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 5-9/10"], body: "WORLD")
                }
            }
            let folder = TemporaryFolder()
            let session = URLSession(configuration: .forTests)
            let request = URLRequest(url: server.url())
            let first = await session.resumableDownloadResult(for: request, to: folder.file())
            #expect(first.error?.urlError?.code == .networkConnectionLost)
            let file = try await session.resumableDownloadResult(for: request, to: folder.file()).get()
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(text == (isChanged ? "HELLOworld" : "helloWORLD"))
            #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=5-"])
            #expect(proxy.tunnelCount == 2)
            endProcess(removing: folder)
        }
    }
}

#endif
