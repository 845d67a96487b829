#if os(Linux)

import Foundation

/// A server on 127.0.0.1 for one connection, which sends exactly the frames of HTTP/2 that a test wants (RFC 9113).
///
/// It decodes no head: each request is taken as it comes.
final class FrameServer: Sendable {
    let port: UInt16
    private let socket: Socket
    private let connection = Monitor<State>(.awaited)

    private enum State: Sendable {
        case awaited
        case open(Socket)
        case over
    }

    /// Starts a server, with the certificate `valid`.
    ///
    /// - Parameter handler: Called when there is a connection, on its thread. The connection is closed when it returns.
    /// - Throws: The reason why there is no server.
    init(_ handler: @escaping @Sendable (Connection) throws -> Void) throws {
        ExitTestLimit.begin
        let context = try TLSContext(.valid, speaksHTTP2: true)
        socket = try Socket.listening()
        port = try socket.port()
        Thread.detachNewThread { [socket, connection] in
            defer { connection.withLock { $0 = .over } }
            guard let accepted = try? socket.accept() else { return }
            connection.withLock { $0 = .open(accepted) }
            // The client hangs up when it has enough.
            try? handler(Connection(TLSStream(over: accepted, context)))
            accepted.close()
        }
    }

    deinit {
        switch connection.value {
        // A thread that waits for a connection sees nothing else.
        case .awaited: (try? Socket.connected(to: port))?.close()
        case .open(let socket): socket.shutDown()
        case .over: break
        }
    }

    func url(_ target: String = "/") throws -> URL {
        guard let url = URL(string: "https://127.0.0.1:\(port)\(target)") else { throw URLError(.badURL) }
        return url
    }
}

extension FrameServer {
    struct Frame {
        enum Kind: UInt8 {
            case data = 0
            case head = 1
            case reset = 3
            case settings = 4
            case ping = 6
            case goodbye = 7
        }

        let kind: UInt8
        var flags: UInt8 = 0
        var stream: UInt32 = 0
        var payload = Data()

        /// For data and heads. Of settings and pings, it says that they are answers.
        static let endOfStream: UInt8 = 1
        static let endOfHead: UInt8 = 4

        static func head(of stream: UInt32, contentLength: Int?) -> Frame {
            // The entries of the static table (RFC 7541): ":status: 200", and the name "content-length" with a value as it is.
            var payload = Data([0x80 | 8])
            if let contentLength {
                let digits = Data("\(contentLength)".utf8)
                payload += [0x0F, 28 - 15, UInt8(digits.count)] + digits
            }
            return Frame(kind: .head, flags: endOfHead, stream: stream, payload: payload)
        }

        static func data(_ text: String, of stream: UInt32, isLast: Bool) -> Frame {
            Frame(kind: .data, flags: isLast ? endOfStream : 0, stream: stream, payload: Data(text.utf8))
        }

        /// The server needs no more of the request, which is no error.
        static func reset(_ stream: UInt32) -> Frame { Frame(kind: .reset, stream: stream, payload: Data(count: 4)) }

        /// The server takes no request after this one, and ends without an error.
        static func goodbye(after stream: UInt32) -> Frame {
            Frame(kind: .goodbye, payload: withUnsafeBytes(of: stream.bigEndian) { Data($0) } + Data(count: 4))
        }

        static let ping = Frame(kind: .ping, payload: Data(count: 8))

        init(kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: Data = Data()) {
            self.kind = kind.rawValue
            self.flags = flags
            self.stream = stream
            self.payload = payload
        }

        /// Reads what all frames begin with.
        fileprivate init(header: Data, payload: Data) {
            kind = header[3]
            flags = header[4]
            stream = header[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            self.payload = payload
        }

        fileprivate var bytes: Data {
            let length = withUnsafeBytes(of: UInt32(payload.count).bigEndian) { Data($0.dropFirst()) }
            let stream = withUnsafeBytes(of: stream.bigEndian) { Data($0) }
            return length + [kind, flags] + stream + payload
        }
    }

    /// The one connection, for use on its own thread.
    final class Connection {
        private let stream: TLSStream
        private var buffer = Data()

        fileprivate init(_ stream: TLSStream) throws {
            self.stream = stream
            // What clients begin with.
            _ = try receive(24)
            try send([Frame(kind: .settings)])
        }

        /// Sends frames, which arrive together if they are short.
        func send(_ frames: [Frame]) throws { try stream.send(frames.reduce(Data()) { $0 + $1.bytes }) }

        /// Waits for a request, and for so much of its body.
        ///
        /// - Returns: The number of its stream.
        func receiveRequest(withBytes count: Int) throws -> UInt32 {
            var stream: UInt32 = 0
            var missing = count
            while stream == 0 || missing > 0 {
                let frame = try receiveFrame()
                switch Frame.Kind(rawValue: frame.kind) {
                case .head: stream = frame.stream
                case .data: missing -= frame.payload.count
                default: break
                }
            }
            return stream
        }

        /// Waits until the client has read what was sent before.
        func awaitClient() throws {
            try send([.ping])
            while true {
                let frame = try receiveFrame()
                if frame.kind == Frame.Kind.ping.rawValue, frame.flags & Frame.endOfStream != 0 { return }
            }
        }

        /// Waits until the client hangs up.
        func awaitEnd() throws {
            while true { _ = try receiveFrame() }
        }

        /// - Throws: An error when there is none any more.
        private func receiveFrame() throws -> Frame {
            let header = try receive(9)
            let frame = Frame(header: header, payload: try receive(header[..<3].reduce(0) { $0 << 8 | Int($1) }))
            if frame.kind == Frame.Kind.settings.rawValue, frame.flags & Frame.endOfStream == 0 {
                try send([Frame(kind: .settings, flags: Frame.endOfStream)])
            }
            return frame
        }

        private func receive(_ count: Int) throws -> Data {
            while buffer.count < count {
                guard try stream.receive(into: &buffer, atMost: 1 << 14) else { throw URLError(.networkConnectionLost) }
            }
            defer { buffer = Data(buffer.dropFirst(count)) }
            return Data(buffer.prefix(count))
        }
    }
}

#endif
