import Foundation

/// Answers every request on a connection with the same bytes, and keeps the connection open.
struct LoopbackServer: Sendable {
    let url: URL

    /// Listens on a port of the system's choice and never stops.
    init(body: Data) throws {
        let listener = socket(AF_INET, Self.stream, 0)
        guard listener >= 0 else { throw Self.error }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { bytes in
            let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let name, bind(listener, name, length) == 0, listen(listener, 64) == 0 else { return Int32(-1) }
            return getsockname(listener, name, &length)
        }
        guard status == 0, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/albums/7")
        else { throw Self.error }
        self.url = url
        let response = Self.response(with: body)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                Thread.detachNewThread { Self.serve(connection, response: response) }
            }
        }
    }

    private static func response(with body: Data) -> Data {
        let head = """
            HTTP/1.1 200 OK\r
            Content-Type: application/json; charset=utf-8\r
            Content-Length: \(body.count)\r
            ETag: "7"\r
            \r\n
            """
        return Data(head.utf8) + body
    }

    /// Sends a response for each head of a request, until the client is gone. Requests have no body.
    private static func serve(_ connection: Int32, response: Data) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var received: [UInt8] = []
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer[..<count]
            guard received.suffix(4) == Array("\r\n\r\n".utf8)[...] else { continue }
            received = []
            guard response.withUnsafeBytes({ send(connection, $0.baseAddress, $0.count, 0) }) == response.count
            else { break }
        }
        close(connection)
    }

    private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
}
