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
    /// The one connection, for use on its own thread.
    final class Connection {
        private let stream: TLSStream
        private var buffer = Data()

        /// How much the client takes (RFC 9113, section 5.2): on the connection, on a new stream, and what it has added for each stream.
        private var window = 65_535
        private var windowOfStream = 65_535
        private var addedToStreams: [UInt32: Int] = [:]

        fileprivate init(_ stream: TLSStream) throws {
            self.stream = stream
            // What clients begin with.
            _ = try receive(24)
            try send([Frame(kind: .settings)])
        }

        /// Sends frames, which arrive together if they are short.
        func send(_ frames: [Frame]) throws { try stream.send(frames.reduce(Data()) { $0 + $1.bytes }) }

        /// Sends a body, as fast as the client takes it.
        func send(body: Data, of stream: UInt32, isLast: Bool) throws {
            var sent = 0
            repeat {
                let room = min(window, windowOfStream + addedToStreams[stream, default: 0] - sent)
                let part = body[(body.startIndex + sent)...].prefix(max(0, min(Frame.longestPayload, room)))
                guard !part.isEmpty || body.isEmpty else {
                    _ = try receiveFrame()
                    continue
                }
                sent += part.count
                window -= part.count
                try send([.data(Data(part), of: stream, isLast: isLast && sent == body.count)])
            } while sent < body.count
        }

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

        /// Waits for a whole request.
        ///
        /// - Returns: The number of its stream.
        func receiveWholeRequest() throws -> UInt32 {
            while true {
                let frame = try receiveFrame()
                let mayEnd = [Frame.Kind.head, .data].contains { $0.rawValue == frame.kind }
                if mayEnd, frame.flags & Frame.endOfStream != 0 { return frame.stream }
            }
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
            let frame = Frame(header: header, payload: try receive(header[..<3].bigEndianNumber))
            switch Frame.Kind(rawValue: frame.kind) {
            case .settings where frame.flags & Frame.endOfStream == 0:
                noteSettings(frame.payload)
                try send([Frame(kind: .settings, flags: Frame.endOfStream)])
            case .windowUpdate:
                let count = frame.payload.bigEndianNumber & 0x7FFF_FFFF
                if frame.stream == 0 { window += count } else { addedToStreams[frame.stream, default: 0] += count }
            default: break
            }
            return frame
        }

        /// Each setting is a number of two bytes, and a value of four.
        private func noteSettings(_ settings: Data) {
            for start in stride(from: 0, to: settings.count, by: 6) {
                let setting = settings.dropFirst(start)
                let isInitialWindowSize = setting.prefix(2).bigEndianNumber == 4
                if isInitialWindowSize { windowOfStream = setting.dropFirst(2).prefix(4).bigEndianNumber }
            }
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
