import Foundation

/// A SOCKS proxy (RFC 1928, RFC 1929) that takes each host for the loopback one.
final class SocksProxy: Sendable {
    let port: UInt16
    private let socket: Socket
    private let noted = Monitor(Noted())

    struct Noted: Sendable {
        /// As they were asked for: names, or four bytes of an address.
        var hosts: [Data] = []

        /// User and password, one after the other.
        var credentials: [String] = []
        fileprivate var isStopped = false
    }

    private struct Malformed: Error {}

    /// - Parameter needsPassword: Whether clients have to give a user and a password.
    /// - Throws: The reason why there is no socket.
    init(needsPassword: Bool) throws {
        ExitTestLimit.begin
        socket = try Socket.listening()
        port = try socket.port()
        Thread.detachNewThread { [socket, noted] in
            while let client = try? socket.accept(), !noted.value.isStopped {
                Thread.detachNewThread { try? Self.serve(client, needsPassword: needsPassword, noted) }
            }
            socket.close()
        }
    }

    deinit {
        noted.withLock { $0.isStopped = true }
        // A thread that waits for a connection sees nothing else.
        (try? Socket.connected(to: port))?.close()
    }

    var hosts: [Data] { noted.value.hosts }
    var credentials: [String] { noted.value.credentials }

    private static func serve(_ client: Socket, needsPassword: Bool, _ noted: Monitor<Noted>) throws {
        func read(_ count: Int) throws -> Data {
            var bytes = Data()
            while bytes.count < count {
                guard try client.receive(into: &bytes, atMost: count - bytes.count) else { throw Malformed() }
            }
            return bytes
        }
        func readText() throws -> Data { try read(Int(read(1)[0])) }

        guard try read(1) == Data([5]) else { throw Malformed() }
        let method: UInt8 = needsPassword ? 2 : 0
        guard try readText().contains(method) else { return try client.send(Data([5, 0xFF])) }
        try client.send(Data([5, method]))
        if needsPassword {
            _ = try read(1)
            let (user, password) = (try readText(), try readText())
            noted.withLock { $0.credentials += [user, password].map { String(decoding: $0, as: UTF8.self) } }
            try client.send(Data([1, 0]))
        }
        let kind = try read(4)[3]
        let host = try kind == 3 ? readText() : read(4)
        noted.withLock { $0.hosts.append(host) }
        let port = try read(2)
        let server = try Socket.connected(to: UInt16(port[0]) << 8 | UInt16(port[1]))
        try client.send(Data([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
        Thread.detachNewThread {
            server.passBytes(on: client)
            client.shutDown()
        }
        client.passBytes(on: server)
        server.shutDown()
    }
}
