/// HTTP/1.1 over TCP, as much of it as the tests' server speaks.
final class HTTPLoad: Load {
    /// How much of the body is to come.
    private enum Rest {
        case bytes(Int)
        case chunk(Int)
        case endOfChunk
        case nextChunk
        case untilClose
    }

    /// The server takes no more of the body. It may have answered.
    private struct CannotSend: Error {}

    private static let mostToSkip = 1 << 16

    private let request: URLRequest
    private let url: URL
    private let transfer: Transfer
    private var connection: Connection?
    private var rest = Rest.untilClose
    private var inflater: Inflater?
    private var hasHead = false
    private var isOver = false
    private var isKept = false
    private var isSent = true
    let isReusedConnection: Bool
    private(set) var countOfBodyBytes: Int64 = 0

    init(of request: URLRequest, for transfer: Transfer) throws {
        guard let url = request.url, url.host?.isEmpty == false else { throw URLError(.badURL, at: request.url) }
        self.request = request
        self.url = url
        self.transfer = transfer
        let body = try transfer.bodyToSend(with: request)
        transfer.task.with { $0.expectedToSend = body.map { $0.length ?? NSURLSessionTransferSizeUnknown } ?? 0 }
        let connection = try transfer.session.connections.take(to: url, for: transfer)
        self.connection = connection
        isReusedConnection = connection.hasServed
        do {
            transfer.task.with { $0.interrupt = { connection.interrupt() } }
            try transfer.waitUntilResumed()
            try send(head(with: body))
            if let body { try send(body.stream, isChunked: body.length == nil) }
        } catch is CannotSend {
            isSent = false
        } catch {
            stop()
            throw error
        }
    }

    /// A kept connection may have been closed by the server before the request came.
    var mayBeRepeated: Bool { connection?.hasServed == true && !hasHead && connection?.received.isEmpty == true }

    func stop() {
        transfer.task.with { $0.interrupt = nil }
        guard let connection = connection.take() else { return }
        let isReusable = isOver && isKept && isSent && connection.received.isEmpty
        transfer.session.connections.giveBack(connection, isReusable: isReusable)
    }

    /// Reads the short body of a response that nobody reads, such as a redirect, so that the connection can be used again.
    func skipBody() {
        guard case .bytes(...Self.mostToSkip) = rest else { return }
        while case .data? = try? next() {}
    }

    // MARK: Sending

    private func head(with body: (stream: InputStream, length: Int64?)?) -> Data {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        var fields = request.allHTTPHeaderFields ?? [:]
        let defaults = ["Accept": "*/*", "Accept-Encoding": "gzip, deflate", "User-Agent": "Model"]
        for (name, value) in defaults where request.value(forHTTPHeaderField: name) == nil { fields[name] = value }
        // These are "reserved": the page of URLRequest.
        fields["Host"] = url.port.map { "\(url.host ?? ""):\($0)" } ?? url.host
        fields["Connection"] = "keep-alive"
        fields["Content-Length"] = body?.length.map { "\($0)" }
        if let body, body.length == nil { fields["Transfer-Encoding"] = "chunked" }
        // Evidence: swift-corelibs-foundation, pull requests 637, 1741 and 2753, which imitate Darwin.
        if request.httpMethod == "POST", let body, body.length != 0,
            request.value(forHTTPHeaderField: "Content-Type") == nil
        {
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        }
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        let target = (path.isEmpty ? "/" : path) + query
        return Data("\(request.httpMethod ?? "GET") \(target) HTTP/1.1\r\n\(lines)\r\n".utf8)
    }

    private func send(_ stream: InputStream, isChunked: Bool) throws {
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count >= 0 else { throw stream.streamError ?? URLError(.requestBodyStreamExhausted, at: url) }
            let piece = Data(buffer[..<count])
            try send(isChunked ? Data("\(String(count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8) : piece)
            if count == 0 { return }
            transfer.countSent(count)
        }
    }

    private func send(_ bytes: Data) throws {
        var rest = bytes[...]
        while !rest.isEmpty, let connection {
            try transfer.waitUntilResumed()
            let ready = connection.wait(toSend: true, for: transfer.timeout)
            if ready.read, (try? connection.receive()) != true { throw CannotSend() }
            guard ready.send else {
                if ready.read { continue }
                throw URLError(.timedOut, at: url)
            }
            guard let count = connection.send(rest) else { throw CannotSend() }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: Receiving

    func next() throws -> LoadEvent {
        guard hasHead else { return .response(try readHead()) }
        guard !isOver else { return .end }
        switch rest {
        case .bytes(0):
            return try end(isKept: true)
        case .bytes(let count):
            let piece = try readPiece(upTo: count)
            rest = .bytes(count - piece.count)
            return .data(try decoded(piece))
        case .chunk(let count):
            let piece = try readPiece(upTo: count)
            rest = piece.count == count ? .endOfChunk : .chunk(count - piece.count)
            return .data(try decoded(piece))
        case .endOfChunk:
            guard try readLine().isEmpty else { throw URLError(.cannotParseResponse, at: url) }
            rest = .nextChunk
            return try next()
        case .nextChunk:
            guard let size = Int(try readLine().prefix { $0 != ";" }, radix: 16), (0..<1 << 40).contains(size) else {
                throw URLError(.cannotParseResponse, at: url)
            }
            rest = .chunk(size)
            if size > 0 { return try next() }
            // Trailers.
            while try !readLine().isEmpty {}
            return try end(isKept: true)
        case .untilClose:
            guard let piece = try piece(upTo: .max) else { return try end(isKept: false) }
            return .data(try decoded(piece))
        }
    }

    private func end(isKept: Bool) throws -> LoadEvent {
        try inflater?.end()
        isOver = true
        self.isKept = self.isKept && isKept
        return .end
    }

    private func decoded(_ piece: Data) throws -> Data { try inflater?.decode(piece) ?? piece }

    /// - Returns: Some bytes, or nil at the end of the connection.
    private func piece(upTo count: Int) throws -> Data? {
        guard let connection, try !connection.received.isEmpty || receive() else { return nil }
        let piece = connection.received.prefix(count)
        connection.received = Data(connection.received.dropFirst(piece.count))
        countOfBodyBytes += Int64(piece.count)
        return Data(piece)
    }

    private func readPiece(upTo count: Int) throws -> Data {
        guard let piece = try piece(upTo: count) else { throw URLError(.networkConnectionLost, at: url) }
        return piece
    }

    private func receive() throws -> Bool {
        guard let connection else { return false }
        while !connection.wait(toSend: false, for: transfer.timeout).read {
            let isHeldBack = transfer.task.with { $0.isHeldBack }
            if !isHeldBack { throw URLError(.timedOut, at: url) }
        }
        try transfer.waitUntilResumed()
        do {
            return try connection.receive()
        } catch {
            throw URLError(.networkConnectionLost, at: url)
        }
    }

    private func readLine() throws -> String {
        while let connection {
            if let end = connection.received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: connection.received[..<end], as: UTF8.self)
                connection.received = Data(connection.received[(end + 1)...])
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            if try !receive() { throw URLError(.networkConnectionLost, at: url) }
        }
        return ""
    }

    private func readHead() throws -> HTTPURLResponse {
        while true {
            let parts = try readLine().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), let status = Int(parts[1]), status >= 0 else {
                throw URLError(.cannotParseResponse, at: url)
            }
            let fields = try readFields()
            if (100..<200).contains(status), status != 101 { continue }
            hasHead = true
            return try response(status, String(parts[0]), fields)
        }
    }

    /// Fields with names that differ in case are one.
    private func readFields() throws -> [String: String] {
        var fields: [String: (name: String, value: String)] = [:]
        while case let line = try readLine(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            let earlier = fields[name.lowercased()]
            fields[name.lowercased()] = earlier.map { ($0.name, "\($0.value), \(value)") } ?? (name, value)
        }
        return Dictionary(fields.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    private func response(_ status: Int, _ version: String, _ fields: [String: String]) throws -> HTTPURLResponse {
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: fields)
        guard let response else { throw URLError(.badServerResponse, at: url) }
        func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name)?.lowercased() }
        if request.httpMethod == "HEAD" || [204, 205, 304].contains(status) {
            rest = .bytes(0)
        } else if field("Transfer-Encoding")?.contains("chunked") == true {
            rest = .nextChunk
        } else if let length = field("Content-Length")?.split(separator: ",").first {
            guard let count = Int(length), count >= 0 else { throw URLError(.cannotParseResponse, at: url) }
            rest = .bytes(count)
        }
        isKept = version == "HTTP/1.1" && field("Connection") != "close"
        switch field("Content-Encoding") {
        case nil, "", "identity": break
        case "gzip", "deflate": inflater = Inflater(of: url)
        default: throw URLError(.cannotDecodeContentData, at: url)
        }
        return response
    }
}
