import Foundation

/// An HTTP server on 127.0.0.1 that sends exactly the bytes a test wants, however wrong they are.
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
    private let listener: Listener

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - readsBodies: Whether a request's body is read before the handler runs. A handler that runs earlier may call
    ///     `Connection.readBody()`; what it leaves is read and dropped afterwards, unless it closes the connection.
    ///   - keepsRequests: Whether `requests` remembers them; a server that gets very many should not.
    ///   - handler: Called for each request, on the connection's thread.
    /// - Throws: `Socket.Failure` when the system has no socket or port to give.
    init(readsBodies: Bool = true, keepsRequests: Bool = true, _ handler: @escaping Handler) throws {
        let socket = try Socket.listening()
        port = try socket.port()
        listener = Listener(socket: socket, readsBodies: readsBodies, keepsRequests: keepsRequests, handler: handler)
        listener.start()
    }

    /// Starts a server that answers every request in the same way.
    convenience init(_ response: Response) throws {
        try self.init { request, connection in try response.play(request, connection) }
    }

    /// Starts a server that answers by path, and with a 404 where there is none.
    convenience init(_ routes: [String: Response]) throws {
        try self.init { request, connection in
            try (routes[request.path] ?? .status(404)).play(request, connection)
        }
    }

    deinit {
        stop()
    }

    /// The scheme, host and port.
    var origin: String { "http://127.0.0.1:\(port)" }

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
        fileprivate(set) var accepted = 0
        /// At one time.
        fileprivate(set) var mostAtOnce = 0
    }
}

/// The part of a server that its threads hold on to, so that they do not keep the server itself alive.
private final class Listener: Sendable {
    private let socket: Socket
    private let readsBodies: Bool
    private let keepsRequests: Bool
    private let handler: LoopbackServer.Handler
    private let state = Monitor(State.idle)

    let requests = Monitor<[LoopbackServer.Request]>([])
    let connections = Monitor(Connections())

    struct Connections {
        private(set) var open: [ObjectIdentifier: Socket] = [:]
        private(set) var counts = LoopbackServer.ConnectionCounts()

        mutating func insert(_ socket: Socket) {
            open[ObjectIdentifier(socket)] = socket
            counts.accepted += 1
            counts.mostAtOnce = max(counts.mostAtOnce, open.count)
        }

        mutating func remove(_ socket: Socket) {
            open[ObjectIdentifier(socket)] = nil
        }
    }

    private enum State {
        case idle, listening, stopping, stopped
    }

    init(socket: Socket, readsBodies: Bool, keepsRequests: Bool, handler: @escaping LoopbackServer.Handler) {
        self.socket = socket
        self.readsBodies = readsBodies
        self.keepsRequests = keepsRequests
        self.handler = handler
    }

    func start() {
        state.withLock { $0 = .listening }
        Thread.detachNewThread { [self] in
            acceptConnections()
            socket.close()
            state.withLock { $0 = .stopped }
        }
    }

    func stop() {
        let wasListening = state.withLock { state in
            defer { if state == .listening { state = .stopping } }
            return state == .listening
        }
        guard wasListening else { return }
        // Closing a socket does not wake a thread that is blocked in accept(2) on it; one more connection does.
        let wakingConnection = (try? socket.port()).flatMap { try? Socket.connected(to: $0) }
        state.wait { $0 == .stopped }
        wakingConnection?.close()
        for connection in connections.value.open.values { connection.shutDown() }
    }

    private func acceptConnections() {
        while state.value == .listening {
            // A client that has given up before it is accepted is no reason to stop listening.
            guard let accepted = try? socket.accept(), state.value == .listening else { continue }
            connections.withLock { $0.insert(accepted) }
            Thread.detachNewThread { [self] in
                serve(accepted)
                accepted.close()
                connections.withLock { $0.remove(accepted) }
            }
        }
    }

    private func serve(_ socket: Socket) {
        let connection = LoopbackServer.Connection(socket: socket)
        do {
            while let request = try connection.readRequest(withBody: readsBodies) {
                if keepsRequests { requests.withLock { $0.append(request) } }
                try handler(request, connection)
                guard connection.isOpen else { return }
                _ = try connection.readBody()
            }
        } catch {
            // The client has hung up, or the handler threw to end the connection: either way it is over.
        }
    }
}
