#if os(Linux)

import Foundation

/// What the connections of a server with TLS share: its certificate and its key.
final class TLSContext: @unchecked Sendable {
    // Unchecked because the compiler cannot see that OpenSSL locks what connections share.
    fileprivate let pointer: OpaquePointer
    fileprivate let openSSL: OpenSSL

    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - asksForCertificate: Whether clients need a certificate of the tests' authority.
    ///   - speaksHTTP2: Whether clients are told that the server speaks HTTP/2, and nothing else.
    /// - Throws: `OpenSSL.Failure` when there is no OpenSSL, or when it cannot use the certificate.
    init(_ certificate: Certificate, asksForCertificate: Bool = false, speaksHTTP2: Bool = false) throws {
        openSSL = try OpenSSL.shared.get()
        guard let context = openSSL.newContext(openSSL.serverMethod()) else {
            throw OpenSSL.Failure(reason: "no context")
        }
        pointer = context
        let isPEM: Int32 = 1
        guard openSSL.useCertificateFile(context, certificate.path) == 1,
            openSSL.usePrivateKeyFile(context, certificate.path, isPEM) == 1
        else { throw OpenSSL.Failure(reason: "\(certificate.path) cannot be used") }
        if asksForCertificate {
            guard openSSL.loadAuthorities(context, Certificate.authorityPath, nil) == 1 else {
                throw OpenSSL.Failure(reason: "\(Certificate.authorityPath) cannot be used")
            }
            openSSL.setVerification(context, 1 | 2, nil)  // SSL_VERIFY_PEER, SSL_VERIFY_FAIL_IF_NO_PEER_CERT
        }
        if speaksHTTP2 { openSSL.setProtocolChoice(context, chooseHTTP2, nil) }
    }

    deinit {
        openSSL.freeContext(pointer)
    }
}

private let chooseHTTP2: OpenSSL.ProtocolChoice = { _, chosen, length, _, _, _ in
    chosen?.pointee = nameOfHTTP2
    length?.pointee = 2
    return 0  // SSL_TLSEXT_ERR_OK
}

/// Never freed: connections point to it.
private nonisolated(unsafe) let nameOfHTTP2: UnsafePointer<UInt8> = {
    let name = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
    name[0] = UInt8(ascii: "h")
    name[1] = UInt8(ascii: "2")
    return UnsafePointer(name)
}()

/// The server's side of a TLS connection over a socket.
///
/// OpenSSL encrypts and decrypts in memory, and the socket does the rest, so that what holds for the socket (how it is
/// woken, that no signal is raised) holds with TLS, too.
final class TLSStream: ByteStream {
    private let socket: Socket
    private let context: TLSContext
    private let connection: OpaquePointer
    /// Bytes of the peer that are not decrypted yet.
    private let incoming: OpaquePointer?
    /// Encrypted bytes that are not sent yet.
    private let outgoing: OpaquePointer?

    private var openSSL: OpenSSL { context.openSSL }

    /// Waits until the peer has agreed on how to encrypt.
    ///
    /// - Throws: `OpenSSL.Failure` when it does not, as when it refuses the certificate.
    init(over socket: Socket, _ context: TLSContext) throws {
        guard let connection = context.openSSL.newConnection(context.pointer) else {
            throw OpenSSL.Failure(reason: "no connection")
        }
        self.socket = socket
        self.context = context
        self.connection = connection
        incoming = context.openSSL.newBuffer(context.openSSL.memoryMethod())
        outgoing = context.openSSL.newBuffer(context.openSSL.memoryMethod())
        // The connection frees them.
        openSSL.setBuffers(connection, incoming, outgoing)
        do {
            guard try untilDone({ openSSL.accept(connection) }) > 0 else {
                throw OpenSSL.Failure(reason: "the client hung up")
            }
        } catch {
            // The client closes. If the server did, while the client sends, a reset would overtake the alert.
            var rest = Data()
            while try socket.receive(into: &rest, atMost: 1 << 16) { rest.removeAll() }
            throw error
        }
    }

    deinit {
        openSSL.freeConnection(connection)
    }

    func receive(into buffer: inout Data, atMost count: Int) throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: count)
        let received = try untilDone { openSSL.read(connection, &chunk, Int32(count)) }
        buffer.append(contentsOf: chunk[..<received])
        return received > 0
    }

    func send(_ data: Data) throws {
        guard !data.isEmpty else { return }
        let sent = try data.withUnsafeBytes { bytes in
            try untilDone { openSSL.write(connection, bytes.baseAddress, Int32(bytes.count)) }
        }
        guard sent == data.count else { throw OpenSSL.Failure(reason: "the client hung up") }
    }

    /// Says that nothing more will come (RFC 8446, section 6.1), and closes the socket.
    func close() {
        openSSL.clearErrors()
        _ = openSSL.shutDown(connection)
        // Whoever has hung up does not hear it.
        try? sendEncrypted()
        socket.close()
    }

    func reset() {
        socket.reset()
    }

    /// Repeats an operation until the peer has sent what it needs.
    ///
    /// - Returns: What the operation returns, or 0 when the peer has sent its last byte.
    private func untilDone(_ operation: () -> Int32) throws -> Int {
        let wantsBytes: Int32 = 2
        let isClosed: Int32 = 6
        while true {
            openSSL.clearErrors()
            let result = operation()
            try sendEncrypted()
            guard result <= 0 else { return Int(result) }
            switch openSSL.error(connection, result) {
            case wantsBytes: guard try receiveEncrypted() else { return 0 }
            case isClosed: return 0
            case let error: throw OpenSSL.Failure(reason: "error \(error)")
            }
        }
    }

    private func sendEncrypted() throws {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = openSSL.readBuffer(outgoing, &chunk, Int32(chunk.count))
            guard count > 0 else { return }
            try socket.send(Data(chunk[..<Int(count)]))
        }
    }

    private func receiveEncrypted() throws -> Bool {
        var chunk = Data()
        guard try socket.receive(into: &chunk, atMost: 1 << 14) else { return false }
        _ = chunk.withUnsafeBytes { openSSL.writeBuffer(incoming, $0.baseAddress, Int32($0.count)) }
        return true
    }
}

#endif
