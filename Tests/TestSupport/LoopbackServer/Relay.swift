import Foundation

/// Leads each connection to a server on loopback, to the next of some ports.
final class Relay: Sendable {
    let port: UInt16
    private let listener: Socket

    /// - Parameter ports: Those of the servers. After the last comes the first again.
    /// - Throws: `Socket.Failure` when the system has no socket or port to give.
    init(to ports: [Int]) throws {
        listener = try Socket.listening()
        port = try listener.port()
        Thread.detachNewThread { [listener] in
            var next = 0
            while let client = try? listener.accept() {
                guard let server = try? Socket.connected(to: UInt16(ports[next])) else { return client.close() }
                next = (next + 1) % ports.count
                Thread.detachNewThread {
                    server.passBytes(on: client)
                    client.shutDown()
                }
                Thread.detachNewThread {
                    client.passBytes(on: server)
                    server.shutDown()
                }
            }
        }
    }

    deinit { listener.shutDown() }
}
