import Foundation

/// The part of a server that its threads hold on to, so that they do not keep the server itself alive.
final class Listener: Sendable {
    private let socket: Socket
    private let address: Socket.Address
    private let makeConnection: @Sendable (Socket) throws -> LoopbackServer.Connection
    private let readsBodies: Bool
    private let keepsRequests: Bool
    private let handler: LoopbackServer.Handler
    private let state = Monitor(State.idle)

    let requests = Monitor<[LoopbackServer.Request]>([])
    let requestCounts = Monitor(LoopbackServer.RequestCounts())
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

    init(
        socket: Socket,
        address: Socket.Address,
        makeConnection: @escaping @Sendable (Socket) throws -> LoopbackServer.Connection,
        readsBodies: Bool,
        keepsRequests: Bool,
        handler: @escaping LoopbackServer.Handler
    ) {
        self.socket = socket
        self.address = address
        self.makeConnection = makeConnection
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
        let wakingConnection = (try? socket.port()).flatMap { try? Socket.connected(to: $0, at: address) }
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
        do {
            let connection = try makeConnection(socket)
            var isFirst = true
            while let request = try connection.readRequest(withBody: readsBodies) {
                requestCounts.withLock { $0.add(onNewConnection: isFirst) }
                isFirst = false
                if keepsRequests { requests.withLock { $0.append(request) } }
                try handler(request, connection)
                guard connection.isOpen else { return }
                _ = try connection.readBody()
            }
        } catch {
            // The client has hung up or refused the certificate, or the handler threw to end the connection: in any case
            // it is over.
        }
    }
}
