import Foundation

/// An HTTP server on loopback, with TLS if asked for, that sends exactly the bytes a test wants, however wrong they are.
///
/// Each connection has a thread of its own, so a handler may block. Two servers are two origins.
///
/// ```swift
/// let server = try LoopbackServer { request, connection in
///     try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
///     connection.reset()
/// }
/// ```
final class LoopbackServer: Sendable {
    /// Answers one request; the connection then waits for the next one, unless the handler has closed it.
    typealias Handler = @Sendable (Request, Connection) throws -> Void

    let port: UInt16
    private let transport: Transport
    private let address: Socket.Address
    private let listener: Listener

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - transport: What the server speaks HTTP over.
    ///   - address: Where it listens.
    ///   - readsBodies: Whether a request's body is read before the handler runs. A handler that runs earlier may call
    ///     `Connection.readBody()`; what it leaves is read and dropped afterwards, unless it closes the connection.
    ///   - keepsRequests: Whether `requests` remembers them; a server that gets very many should not.
    ///   - handler: Called for each request, on the connection's thread.
    /// - Throws: `Socket.Failure` when the system has no socket or port to give.
    init(
        over transport: Transport = .tcp,
        at address: Socket.Address = .version4,
        readsBodies: Bool = true,
        keepsRequests: Bool = true,
        _ handler: @escaping Handler
    ) throws {
        ExitTestLimit.begin
        let socket = try Socket.listening(at: address)
        port = try socket.port()
        self.transport = transport
        self.address = address
        listener = Listener(
            socket: socket, address: address, makeConnection: try transport.connectionMaker(), readsBodies: readsBodies,
            keepsRequests: keepsRequests, handler: handler)
        listener.start()
    }

    /// Starts a server that answers every request in the same way.
    convenience init(
        _ response: Response, over transport: Transport = .tcp, at address: Socket.Address = .version4
    ) throws {
        try self.init(over: transport, at: address) { request, connection in try response.play(request, connection) }
    }

    /// Starts a server that answers by path, and with a 404 where there is none.
    convenience init(
        _ routes: [String: Response], over transport: Transport = .tcp, at address: Socket.Address = .version4
    ) throws {
        try self.init(over: transport, at: address) { request, connection in
            try (routes[request.path] ?? .status(404)).play(request, connection)
        }
    }

    deinit {
        stop()
    }

    /// The scheme, host and port.
    var origin: String { "\(transport.scheme)://\(address.host):\(port)" }

    func url(_ target: String = "/") -> URL {
        guard let url = URL(string: origin + target) else { preconditionFailure("\(target) is not part of a URL") }
        return url
    }

    /// Every request so far, in the order of arrival.
    var requests: [Request] { listener.requests.value }

    /// Waits until so many requests have arrived.
    @discardableResult
    func requests(atLeast count: Int) async throws -> [Request] {
        try await listener.requests.value { $0.count >= count }
    }

    /// How many connections there have been.
    var connectionCounts: ConnectionCounts { listener.connections.value.counts }

    /// How many requests there have been, even if the server does not remember them.
    var requestCounts: RequestCounts { listener.requestCounts.value }

    /// Waits until every connection is closed, by either side.
    func connectionsClosed() async throws {
        try await listener.connections.value { $0.open.isEmpty }
    }

    /// Refuses new connections and ends those that are open. Called by `deinit` too.
    func stop() {
        listener.stop()
    }
}

extension LoopbackServer {
    struct ConnectionCounts: Sendable {
        /// Since the server began.
        var accepted = 0
        /// At one time.
        var mostAtOnce = 0
    }

    struct RequestCounts: Sendable {
        var all = 0
        /// Those that were the first of their connections.
        var onNewConnections = 0

        mutating func add(onNewConnection isFirst: Bool) {
            all += 1
            if isFirst { onNewConnections += 1 }
        }
    }
}
