import Foundation

/// A server that answers with the path of each request. After `/first`, it sends a second response on the same connection, which nobody
/// has asked for.
struct UnaskedResponse: Sendable {
    private let server: LoopbackServer
    private let mayBeSent = Gate()
    private let isSent = Gate()

    init() throws {
        server = try LoopbackServer { [mayBeSent, isSent] request, connection in
            try connection.respond(body: request.path)
            guard request.path == "/first" else { return }
            mayBeSent.wait()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nunasked")
            isSent.open()
        }
    }

    func url(_ path: String) -> URL { server.url(path) }

    /// Sends the second response, and returns when it is sent.
    func send() async throws {
        mayBeSent.open()
        try await isSent.opened()
    }
}
