import Foundation

/// A proxy for https, in the clear itself, that answers each CONNECT in the same way.
final class ConnectProxy: Sendable {
    enum Answer: String, CaseIterable, Sendable {
        case plain, fields, cookie, length, encoding, partial, authentication, forbidden

        /// Those after which bytes are passed on.
        static let tunnels = allCases.filter(\.isTunnel)
        static let refusals = allCases.filter { !$0.isTunnel }

        private var isTunnel: Bool { self != .authentication && self != .forbidden }

        fileprivate var head: String {
            let lines =
                switch self {
                case .plain: ["200 Connection established"]
                case .fields: ["200 OK", "Content-Type: text/html", "ETag: \"proxy\"", "Location: /proxy"]
                case .cookie: ["200 OK", "Set-Cookie: proxy=1; Path=/"]
                // Not allowed, and seen.
                case .length: ["200 OK", "Content-Length: 0"]
                case .encoding: ["200 OK", "Transfer-Encoding: chunked"]
                case .partial: ["206 Partial Content", "Content-Range: bytes 5-9/10", "ETag: \"1\""]
                case .authentication:
                    ["407 No", "Proxy-Authenticate: Basic realm=\"x\"", "Set-Cookie: proxy=1", "Content-Length: 2"]
                case .forbidden: ["403 No", "Content-Length: 2"]
                }
            return "HTTP/1.1 " + lines.joined(separator: "\r\n") + "\r\n\r\n"
        }
    }

    private let server: LoopbackServer

    init(_ answer: Answer) throws {
        server = try LoopbackServer { request, connection in
            try connection.send(answer.head)
            let port = request.target.split(separator: ":").last.flatMap { UInt16($0) }
            guard request.method == "CONNECT", let port, Answer.tunnels.contains(answer) else {
                return try connection.send("no")
            }
            try connection.tunnel(to: port)
        }
    }

    var port: UInt16 { server.port }

    /// The requests for tunnels.
    var requests: [LoopbackServer.Request] { server.requests }

    /// How many tunnels were asked for.
    var tunnelCount: Int { server.requests.count }

    /// Has the process use the proxy for https from now on. Only for a process of its own: libcurl reads the environment.
    func use() {
        setenv("https_proxy", server.origin, 1)
        for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
    }
}
