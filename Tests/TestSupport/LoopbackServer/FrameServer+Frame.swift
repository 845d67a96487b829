#if os(Linux)

import Foundation

extension FrameServer {
    /// What HTTP/2 sends (RFC 9113, section 4).
    struct Frame {
        enum Kind: UInt8 {
            case data = 0
            case head = 1
            case reset = 3
            case settings = 4
            case ping = 6
            case goodbye = 7
            case windowUpdate = 8
            case continuation = 9
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
            data(Data(text.utf8), of: stream, isLast: isLast)
        }

        static func data(_ bytes: Data, of stream: UInt32, isLast: Bool) -> Frame {
            Frame(kind: .data, flags: isLast ? endOfStream : 0, stream: stream, payload: bytes)
        }

        /// A head, or trailers, in as many frames as it takes.
        ///
        /// - Parameters:
        ///   - fields: The names in lower case, and the values. A head begins with `:status`.
        ///   - stream: The number of the stream.
        ///   - isLast: Whether the stream ends with them.
        /// - Returns: The frames.
        static func fields(_ fields: [(String, String)], of stream: UInt32, isLast: Bool = false) -> [Frame] {
            // Each as it is (RFC 7541, section 6.2.2).
            let block = fields.reduce(into: Data()) { $0 += [0] + text($1.0) + text($1.1) }
            var frames = stride(from: 0, to: block.count, by: longestPayload).map { start in
                Frame(kind: .continuation, stream: stream, payload: Data(block[start...].prefix(longestPayload)))
            }
            frames[0] = Frame(
                kind: .head, flags: isLast ? endOfStream : 0, stream: stream, payload: frames[0].payload)
            frames[frames.count - 1].flags |= endOfHead
            return frames
        }

        /// What clients take without having said so.
        static let longestPayload = 16_384

        /// A text after its length (RFC 7541, sections 5.1 and 5.2).
        private static func text(_ text: String) -> Data {
            let bytes = Data(text.utf8)
            guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
            var length = Data([127])
            var rest = bytes.count - 127
            while rest >= 128 {
                length.append(UInt8(rest & 127 | 128))
                rest >>= 7
            }
            return length + [UInt8(rest)] + bytes
        }

        /// The server needs no more of the request, which is no error.
        static func reset(_ stream: UInt32) -> Frame { Frame(kind: .reset, stream: stream, payload: Data(count: 4)) }

        /// The server takes no request after this one, and ends without an error.
        static func goodbye(after stream: UInt32) -> Frame {
            Frame(kind: .goodbye, payload: withUnsafeBytes(of: stream.bigEndian) { Data($0) } + Data(count: 4))
        }

        /// The client may send so many bytes more.
        ///
        /// - Parameters:
        ///   - count: The number of bytes.
        ///   - stream: The number of the stream.
        /// - Returns: The frames for the connection and the stream.
        static func window(adding count: UInt32, of stream: UInt32) -> [Frame] {
            let payload = withUnsafeBytes(of: count.bigEndian) { Data($0) }
            return [0, stream].map { Frame(kind: .windowUpdate, stream: $0, payload: payload) }
        }

        static let ping = Frame(kind: .ping, payload: Data(count: 8))

        init(kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: Data = Data()) {
            self.kind = kind.rawValue
            self.flags = flags
            self.stream = stream
            self.payload = payload
        }

        /// Reads what all frames begin with.
        init(header: Data, payload: Data) {
            kind = header[3]
            flags = header[4]
            stream = header[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            self.payload = payload
        }

        var bytes: Data {
            let length = withUnsafeBytes(of: UInt32(payload.count).bigEndian) { Data($0.dropFirst()) }
            let stream = withUnsafeBytes(of: stream.bigEndian) { Data($0) }
            return length + [kind, flags] + stream + payload
        }
    }
}

extension Data {
    /// The number that the bytes are, the highest first.
    var bigEndianNumber: Int { reduce(0) { $0 << 8 | Int($1) } }
}

#endif
