import Foundation

/// The bytes of one connection, with or without TLS.
protocol ByteStream: AnyObject {
    /// Waits for bytes and appends at most `count` of them; false once the peer has sent its last one.
    func receive(into buffer: inout Data, atMost count: Int) throws -> Bool

    func send(_ data: Data) throws

    /// Ends the stream in an orderly way.
    func close()

    /// Ends the stream with a reset: whatever the peer has not read yet is lost to it.
    func reset()
}

extension Socket: ByteStream {}

extension LoopbackServer {
    /// What a server speaks HTTP over.
    enum Transport: Sendable {
        case tcp
        #if os(Linux)
        case tls(Certificate)
        /// Clients need a certificate of the tests' authority, too.
        case mutualTLS(Certificate)
        #endif
    }
}

extension LoopbackServer.Transport {
    /// Those over which this process trusts the server: TLS only under `make test-trusted`.
    static var trusted: [Self] {
        #if os(Linux)
        if Certificate.authorityIsTrusted { return [.tcp, .tls(.valid)] }
        #endif
        return [.tcp]
    }

    var scheme: String {
        switch self {
        case .tcp: "http"
        #if os(Linux)
        case .tls, .mutualTLS: "https"
        #endif
        }
    }

    /// Gives what turns the sockets of a server into its connections.
    func connectionMaker() throws -> @Sendable (Socket) throws -> LoopbackServer.Connection {
        switch self {
        case .tcp:
            return { socket in LoopbackServer.Connection(socket, scheme: scheme) }
        #if os(Linux)
        case .tls(let certificate):
            return Self.connectionMaker(try TLSContext(certificate), scheme)
        case .mutualTLS(let certificate):
            return Self.connectionMaker(try TLSContext(certificate, asksForCertificate: true), scheme)
        #endif
        }
    }

    #if os(Linux)
    private static func connectionMaker(
        _ context: TLSContext, _ scheme: String
    ) -> @Sendable (Socket) throws -> LoopbackServer.Connection {
        { socket in LoopbackServer.Connection(try TLSStream(over: socket, context), scheme: scheme) }
    }
    #endif
}
