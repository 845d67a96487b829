import Foundation

extension LoopbackServer.Connection {
    /// What a proxy does after CONNECT (RFC 9110, section 9.3.6): passes bytes on in both directions until a side hangs up.
    func tunnel(to port: UInt16) throws {
        guard let client = stream as? Socket else { preconditionFailure("A proxy speaks in the clear.") }
        let server = try Socket.connected(to: port)
        Thread.detachNewThread {
            server.passBytes(on: client)
            client.shutDown()
        }
        try server.send(takeBuffer())
        client.passBytes(on: server)
        server.shutDown()
        close()
    }
}

extension Socket {
    /// Sends another socket what arrives, until either hangs up.
    func passBytes(on other: Socket) {
        var bytes = Data()
        while (try? receive(into: &bytes, atMost: 1 << 16)) == true, (try? other.send(bytes)) != nil {
            bytes = Data()
        }
    }
}
