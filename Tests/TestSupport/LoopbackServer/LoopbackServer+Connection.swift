import Foundation

extension LoopbackServer {
    /// One client's connection, for use on its own thread.
    final class Connection {
        let stream: any ByteStream
        /// The scheme of the server's URLs.
        let scheme: String
        private var buffer = Data()
        private var unreadBody: Framing = .none
        private var isAnsweringHEAD = false
        private(set) var isOpen = true

        /// How the end of a request's body is found.
        private enum Framing {
            case none
            case length(Int)
            case chunked
        }

        /// A request that no client of these tests has reason to send.
        struct MalformedRequest: Error {}

        init(_ stream: any ByteStream, scheme: String) {
            self.stream = stream
            self.scheme = scheme
        }
    }
}

// MARK: - Answering

extension LoopbackServer.Connection {
    /// Sends the bytes as they are.
    func send(_ bytes: some BytesConvertible) throws {
        try stream.send(bytes.bytes)
    }

    /// Sends zeros, without ever holding more than a mebibyte of them.
    func send(zeros count: Int) throws {
        let chunk = Data(count: min(count, 1 << 20))
        var rest = count
        while rest > 0 {
            let part = chunk.prefix(rest)
            try stream.send(part)
            rest -= part.count
        }
    }

    /// Sends a whole, correct response, without the body where HTTP allows none.
    func respond(
        _ status: Int = 200,
        headers: KeyValuePairs<String, String> = [:],
        body: some BytesConvertible = ""
    ) throws {
        let body = body.bytes
        try sendHead(status, headers: headers, contentLength: body.count)
        if !isAnsweringHEAD, mayHaveBody(status) { try stream.send(body) }
    }

    /// Sends the status line, the header fields and the empty line; statuses that have no body get no length.
    func sendHead(_ status: Int, headers: KeyValuePairs<String, String> = [:], contentLength: Int?) throws {
        var head = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let contentLength, mayHaveBody(status) { head += "Content-Length: \(contentLength)\r\n" }
        try send(head + "\r\n")
    }

    private func mayHaveBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }

    /// Plays a scripted response.
    func respond(with response: LoopbackServer.Response, to request: LoopbackServer.Request) throws {
        try response.play(request, self)
    }
}

// MARK: - Hanging up

extension LoopbackServer.Connection {
    /// Ends the connection in an orderly way: the client sees the end of the stream.
    func close() {
        isOpen = false
        stream.close()
    }

    /// Ends the connection with a reset: the client sees an error, and may lose what it has not read yet.
    func reset() {
        isOpen = false
        stream.reset()
    }

    /// Blocks until the client hangs up or the server stops, discarding whatever the client sends meanwhile.
    func waitForClientToClose() {
        buffer.removeAll()
        do {
            while try stream.receive(into: &buffer, atMost: 1 << 16) { buffer.removeAll() }
        } catch {
            // A reset is a way of hanging up.
        }
        close()
    }
}

// MARK: - Reading

extension LoopbackServer.Connection {
    /// Waits for the next request; nil when the client has hung up instead.
    func readRequest(withBody: Bool) throws -> LoopbackServer.Request? {
        guard let head = try readHead() else { return nil }
        guard var request = LoopbackServer.Request(head: head) else { throw MalformedRequest() }
        isAnsweringHEAD = request.method == "HEAD"
        unreadBody = framing(of: request)
        if withBody {
            if request.header("Expect")?.lowercased() == "100-continue" { try send("HTTP/1.1 100 Continue\r\n\r\n") }
            request.body = try readBody()
        }
        return request
    }

    /// Reads the body of the request, for servers that leave that to their handler; empty when it has been read.
    func readBody() throws -> Data {
        defer { unreadBody = .none }
        switch unreadBody {
        case .none: return Data()
        case .length(let count): return try read(count)
        case .chunked: return try readChunks()
        }
    }

    /// Reads the first bytes of a body that the server left unread, and leaves the rest in the stream.
    func readPartOfBody(_ count: Int) throws -> Data {
        try read(count)
    }

    private func framing(of request: LoopbackServer.Request) -> Framing {
        if request.header("Transfer-Encoding")?.lowercased() == "chunked" { return .chunked }
        return request.header("Content-Length").flatMap(Int.init).map(Framing.length) ?? .none
    }

    private func readHead() throws -> Data? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = buffer.range(of: end) { return take(upTo: range) }
            guard try stream.receive(into: &buffer, atMost: 1 << 14) else { return nil }
        }
    }

    private func readChunks() throws -> Data {
        var body = Data()
        while true {
            let size = try readLine().split(separator: ";").first.flatMap { Int($0, radix: 16) }
            guard let size else { throw MalformedRequest() }
            body.append(try read(size))
            _ = try readLine()
            if size == 0 { return body }
        }
    }

    private func readLine() throws -> String {
        let end = Data("\r\n".utf8)
        while true {
            if let range = buffer.range(of: end) { return String(decoding: take(upTo: range), as: UTF8.self) }
            guard try stream.receive(into: &buffer, atMost: 1 << 14) else { throw MalformedRequest() }
        }
    }

    private func read(_ count: Int) throws -> Data {
        while buffer.count < count {
            guard try stream.receive(into: &buffer, atMost: 1 << 18) else { throw MalformedRequest() }
        }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    /// Takes what was received and belongs to no request.
    func takeBuffer() -> Data {
        defer { buffer = Data() }
        return buffer
    }

    /// Takes what stands before the delimiter, and drops the delimiter.
    private func take(upTo delimiter: Range<Data.Index>) -> Data {
        defer { buffer = Data(buffer[delimiter.upperBound...]) }
        return Data(buffer[..<delimiter.lowerBound])
    }
}

/// What a response can be written in.
protocol BytesConvertible: Sendable {
    var bytes: Data { get }
}

extension Data: BytesConvertible {
    var bytes: Data { self }
}

extension String: BytesConvertible {
    var bytes: Data { Data(utf8) }
}

extension [UInt8]: BytesConvertible {
    var bytes: Data { Data(self) }
}
