import Foundation

// What can go wrong with how long a body is, how it is coded, and how it arrives.
extension Fault {
    static let resets = [
        Fault("reset before the response", .reset, .transportError),
        Fault("reset inside the status line", .reset(after: "HTTP/1."), .transportError),
        Fault("reset inside the headers", .reset(after: "HTTP/1.1 200 OK\r\nContent-Le"), .transportError),
        Fault("reset after the headers", .reset(after: ninePromised), .transportError),
        Fault("reset inside the body", .reset(after: ninePromised + "abc"), .transportError),
        Fault("closed before the response", .closed, .transportError),
        Fault("closed inside the status line", .raw("HTTP/1."), .transportError),
        Fault("closed inside the headers", .raw("HTTP/1.1 200 OK\r\nContent-Le"), .transportError),
        Fault("closed after the headers", .raw(ninePromised), .transportError),
        Fault("closed inside the body", .truncated("abc", of: 9), .transportError),
        headless("not HTTP at all", "SSH-2.0-OpenSSH_9.6\r\n"),
        headless("a body without a head", "<html>hello</html>"),
        headless("a TLS alert", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F"),
        Fault("HTTP/1.0", .raw("HTTP/1.0 200 OK\r\n\r\nabc"), .success("abc")),
        Fault("HTTP/2 without TLS", .raw("HTTP/2 200 OK\r\n\r\nabc"), onLinux: .success("abc"))
            .orWithOtherVersions(.transportError),
        Fault("HTTP/3 without TLS", .raw("HTTP/3 200\r\n\r\nabc"), onLinux: .transportError)
            .orWithOtherVersions(.success("abc")),
        Fault("HTTP/3.7", .raw("HTTP/3.7 200 OK\r\n\r\nabc"), onLinux: .transportError)
            .orWithOtherVersions(.success("abc")),
        Fault("an empty line first", .raw("\r\nHTTP/1.1 200 OK\r\n\r\nabc"), onLinux: .transportError),
    ]

    /// Bytes that are a whole response in HTTP/0.9.
    private static func headless(_ name: String, _ text: String) -> Fault {
        Fault(name, .raw(text), onLinux: .transportError, elsewhere: .success(text))
    }

    private static let ninePromised = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"

    static let contentLengths = [
        Fault("Content-Length: none", .raw("HTTP/1.1 200 OK\r\n\r\nabc"), .success("abc")),
        Fault("Content-Length: too large", length("10"), .transportError),
        Fault("Content-Length: too small", length("2"), .success("ab")),
        Fault("Content-Length: zero", .ok(), .success("")),
        Fault("Content-Length: negative", length("-1"), onLinux: .transportError),
        Fault("Content-Length: the same twice", length("3\r\nContent-Length: 3"), .success("abc")),
        Fault("Content-Length: two different ones", length("3\r\nContent-Length: 2"), onLinux: .success("ab"))
            .from(libcurl: LibcurlVersion(8, 17), .transportError),
        Fault("Content-Length: a list", length("3, 3"), onLinux: .success("abc")),
        Fault("Content-Length: 2^63 - 1", length("9223372036854775807"), .transportError),
        Fault("Content-Length: 2^63 - 1025", length("9223372036854774783"), .transportError),
        Fault("Content-Length: 2^63", length("9223372036854775808"), onLinux: .success("abc")),
        Fault("Content-Length: 2^64 + 3", length("18446744073709551619"), onLinux: .success("abc")),
        Fault("Content-Length: forty digits", length(digits(40)), onLinux: .success("abc")),
        Fault("Content-Length: empty", length(""), onLinux: .transportError),
        Fault("Content-Length: a word", length("three"), onLinux: .transportError),
        Fault("Content-Length: a fraction", length("3.5"), onLinux: .success("abc"))
            .from(libcurl: LibcurlVersion(8, 17), .transportError),
        Fault("Content-Length: hexadecimal", length("0x3"), onLinux: .success(""))
            .from(libcurl: LibcurlVersion(8, 17), .transportError),
        Fault("Content-Length: with a plus", length("+3"), onLinux: .success("abc"))
            .from(libcurl: LibcurlVersion(8, 13), .transportError),
        Fault("Content-Length: and chunks", chunked("3\r\nabc\r\n0\r\n\r\n", "Content-Length: 1"), .success("abc")),
    ]

    private static func digits(_ count: Int) -> String {
        String(repeating: "7", count: count)
    }

    private static func length(_ value: String) -> LoopbackServer.Response {
        .raw("Content-Length: \(value)", body: "abc")
    }

    static let chunks = [
        Fault("chunks", chunked("3\r\nabc\r\n0\r\n\r\n"), .success("abc")),
        Fault("chunks: extensions", chunked("3;a=b\r\nabc\r\n0;c\r\n\r\n"), .success("abc")),
        Fault("chunks: the last is missing", chunked("3\r\nabc\r\n"), .transportError),
        Fault("chunks: none", chunked(""), .transportError),
        Fault("chunks: cut inside one", chunked("9\r\nabc"), .transportError),
        Fault("chunks: cut inside a size", chunked("3\r\nabc\r\n1"), .transportError),
        Fault("chunks: a size that is no number", chunked("xyz\r\nabc\r\n0\r\n\r\n"), .transportError),
        Fault("chunks: an empty size", chunked("\r\nabc\r\n0\r\n\r\n"), .transportError),
        Fault("chunks: a negative size", chunked("-3\r\nabc\r\n0\r\n\r\n"), .transportError),
        Fault("chunks: a size of 2^63 - 1", chunked("7fffffffffffffff\r\nabc"), .transportError),
        Fault("chunks: a size of 2^64", chunked("10000000000000000\r\nabc"), .transportError),
        Fault("chunks: a size of a hundred digits", chunked(digits(100) + "\r\nabc"), .transportError),
        Fault("chunks: a long extension", chunked("3;" + digits(9_999) + "\r\nabc\r\n0\r\n\r\n"), .success("abc")),
        Fault("chunks: one longer than its size", chunked("2\r\nabc\r\n0\r\n\r\n"), .transportError),
        Fault("chunks: LF alone", chunked("3\nabc\n0\n\n"), onLinux: .success("abc")),
        Fault("chunks: trailers", chunked("3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"), .success("abc")),
        Fault("chunks: blank trailer", chunked("3\r\nabc\r\n0\r\n \r\n\r\n"), onLinux: .success("abc"))
            .orWithOtherVersions(.transportError),
        trailers("many", "X-Sum: 1\r\nX-Date: 2\r\n folded\r\nx-sum: 3\r\n"),
        trailers("no colon", "X-Sum\r\n"),
        trailers("no name", ": 1\r\n"),
        trailers("NUL", "X-Sum: \0\r\n"),
        trailers("LF alone", "X-Sum: 1\n"),
        trailers("another head", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"),
        trailers("fields of a head", "Content-Length: 9\r\nContent-Encoding: gzip\r\nLocation: /target\r\n"),
        // Up to 8.5, libcurl has one code for trailers of more than 4,096 bytes and for broken chunks.
        trailers("100 kB", "X-Sum: \(digits(100_000))\r\n", .transportError)
            .from(libcurl: LibcurlVersion(8, 6), .success("abc")),
        trailers("ten thousand", String(repeating: "X-Sum: 1\r\n", count: 10_000)),
        Fault(
            "chunks: trailers, and a length",
            .raw("Transfer-Encoding: chunked\r\nContent-Length: 3", body: "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"),
            onLinux: .success("abc")),
        Fault(
            "chunks: trailers of an error response",
            .raw("HTTP/1.1 404 Not Found\r\ntransfer-encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"),
            .serverError(404)),
        Fault(
            "chunks: trailers of a redirect",
            .raw(
                "HTTP/1.1 302 Found\r\nLocation: /target\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n"),
            onLinux: .transportError),
        Fault("chunks: cut inside trailers", chunked("3\r\nabc\r\n0\r\nX: 1"), onLinux: .transportError),
        Fault("chunks: coded twice", coding("chunked, chunked", "3\r\nabc\r\n0\r\n\r\n"), onLinux: .success("abc")),
        Fault("Transfer-Encoding: unknown", coding("zip", "abc"), onLinux: .transportError)
            .orWithOtherVersions(.success("abc")),
        Fault("Transfer-Encoding: identity", coding("identity\r\nContent-Length: 3", "abc"), onLinux: .success("abc")),
    ]

    /// A whole body of chunks with these trailers.
    private static func trailers(_ name: String, _ lines: String, _ outcome: Outcome = .success("abc")) -> Fault {
        Fault("chunks: trailers: \(name)", chunked("3\r\nabc\r\n0\r\n\(lines)\r\n"), onLinux: outcome)
    }

    private static func coding(_ coding: String, _ body: String) -> LoopbackServer.Response {
        .raw("Transfer-Encoding: \(coding)", body: body)
    }

    private static func chunked(_ body: String, _ header: String = "X-Name: x") -> LoopbackServer.Response {
        .raw("Transfer-Encoding: chunked\r\n\(header)", body: body)
    }

    static let contentEncodings = [
        Fault("gzip", coded("gzip", gzippedABC), .success("abc")),
        Fault("gzip: broken", coded("gzip", "no gzip at all"), onLinux: .transportError),
        Fault("gzip: wrong checksum", coded("gzip", gzippedABC.prefix(15) + Data(count: 8)), onLinux: .transportError),
        // libcurl takes the end of the bytes for the end of the compressed stream, wherever it comes.
        Fault("gzip: without a checksum", coded("gzip", gzippedABC.prefix(15)), onLinux: .success("abc")),
        Fault("gzip: cut off", coded("gzip", gzippedABC.prefix(13)), onLinux: .success("ab")),
        Fault("gzip: nothing", coded("gzip", ""), .success("")),
        Fault("gzip: followed by more", coded("gzip", gzippedABC + "more".bytes), onLinux: .transportError),
        Fault("gzip: six times", coded("gzip, gzip, gzip, gzip, gzip, gzip", gzippedABC), onLinux: .transportError),
        Fault("deflate: broken", coded("deflate", "no deflate at all"), onLinux: .transportError),
        Fault("br: broken", coded("br", "no brotli at all"), onLinux: .transportError),
        Fault("Content-Encoding: unknown", coded("shorthand", "abc"), onLinux: .transportError),
        Fault("Content-Encoding: empty", coded("", "abc"), .success("abc")),
        Fault("Content-Encoding: identity", coded("identity", "abc"), .success("abc")),
    ]

    private static func coded(_ coding: String, _ body: some BytesConvertible) -> LoopbackServer.Response {
        .ok(body, headers: ["Content-Encoding": coding])
    }

    /// What `printf abc | gzip -n` writes: ten bytes of head, five of data, eight of checksum and length.
    private static let gzippedABC = Data([
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x4B, 0x4C, 0x4A, 0x06, 0x00, 0xC2, 0x41, 0x24,
        0x35, 0x03, 0x00, 0x00, 0x00,
    ])

    static let paces = [
        Fault("silence", .silent, .transportError, request: .impatient),
        Fault("silence inside the headers", stalled("X-"), .transportError, request: .impatient),
        Fault("silence inside the body", stalled("Content-Length: 9\r\n\r\nabc"), .transportError, request: .impatient),
        Fault("silence inside a chunk", stalled("\(isChunked)3\r\nab"), .transportError, request: .impatient),
        Fault("silence between chunks", stalled("\(isChunked)3\r\nabc\r\n"), .transportError, request: .impatient),
        Fault("a byte at a time", .drip("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"), .success("abc")),
        Fault("chunks, a byte at a time", .drip("HTTP/1.1 200 OK\r\n\(isChunked)1\r\na\r\n0\r\n\r\n"), .success("a")),
        Fault("two responses at once", .raw("Content-Length: 3", body: "abcHTTP/1.1 500 No\r\n\r\n"), .success("abc")),
        Fault("garbage after the response", .raw("Content-Length: 3", body: "abc\r\n\r\n\0garbage"), .success("abc")),
    ]

    private static let isChunked = "Transfer-Encoding: chunked\r\n\r\n"

    private static func stalled(_ bytes: String) -> LoopbackServer.Response {
        .stalled(after: "HTTP/1.1 200 OK\r\n" + bytes)
    }

    static let uploads = [
        Fault("upload: refused unread", refusal { $0.close() }, .serverError(413), request: .upload(10)),
        Fault("upload: challenged unread", .challenge("Basic realm=\"x\""), .serverError(401), request: .upload(10)),
        Fault("upload: accepted unread", earlySuccess, .success("abc"), request: .upload(4 << 20)),
        Fault("upload: reset half way", cutOff { $0.reset() }, .transportError, request: .upload(4 << 20)),
        Fault("upload: closed half way", cutOff { $0.close() }, .transportError, request: .upload(4 << 20)),
        Fault("upload: closed unread", .closed, .transportError, request: .upload(4 << 20)),
        Fault("upload: never read", .silent, .transportError, request: .upload(4 << 20, timeout: 1)),
        Fault("upload: refused with 417", .status(417), .serverError(417), request: .upload(10)),
    ]

    private static func refusal(
        then hangUp: @escaping @Sendable (LoopbackServer.Connection) -> Void
    ) -> LoopbackServer.Response {
        LoopbackServer.Response { _, connection in
            try connection.respond(413, headers: ["Connection": "close"])
            hangUp(connection)
        }
    }

    private static let earlySuccess = LoopbackServer.Response { _, connection in
        try connection.respond(body: "abc")
        _ = try connection.readBody()
    }

    private static func cutOff(
        _ hangUp: @escaping @Sendable (LoopbackServer.Connection) -> Void
    ) -> LoopbackServer.Response {
        LoopbackServer.Response { _, connection in
            _ = try connection.readPartOfBody(1 << 20)
            hangUp(connection)
        }
    }
}
