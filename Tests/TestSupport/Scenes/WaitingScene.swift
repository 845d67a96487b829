import Foundation

/// What a request waits for.
enum Wait: String, CaseIterable, Codable, Sendable {
    case forHead, forBody, forRestOfBody, afterRedirect, afterChallenge

    static let overTLS = [forHead, forRestOfBody]
    static let withoutCredential = allCases.filter { $0 != .afterChallenge }
}

/// Servers that let requests wait, and then answer `abc`.
struct WaitingScene: Sendable {
    private let servers: [LoopbackServer]

    /// Where to send a request.
    var url: URL

    /// How many requests wait.
    let count = Monitor(0)

    /// Opened when the requests have waited long enough.
    let mayEnd = Gate()

    init(_ wait: Wait) throws {
        let server = try LoopbackServer(
            wait.response { [count, mayEnd] in
                count.withLock { $0 += 1 }
                mayEnd.wait()
            })
        if wait == .afterRedirect {
            let first = try LoopbackServer(.redirect(to: server.url().absoluteString, status: 307))
            servers = [first, server]
        } else {
            servers = [server]
        }
        url = servers[0].url("/0")
    }
}

extension Wait {
    fileprivate func response(waiting wait: @escaping @Sendable () -> Void) -> LoopbackServer.Response {
        switch self {
        case .forHead, .afterRedirect:
            LoopbackServer.Response { _, connection in
                wait()
                try connection.respond(body: "abc")
            }
        case .forBody, .forRestOfBody:
            LoopbackServer.Response { _, connection in
                let isBegun = self == .forRestOfBody
                try connection.sendHead(200, contentLength: 3)
                if isBegun { try connection.send("a") }
                wait()
                try connection.send(isBegun ? "bc" : "abc")
            }
        case .afterChallenge:
            ResponseChain(steps: [.challenge]).response(ending: Self.forHead.response(waiting: wait))
        }
    }
}
