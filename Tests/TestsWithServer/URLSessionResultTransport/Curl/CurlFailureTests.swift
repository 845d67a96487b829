#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// `urlError` has the codes of Apple's URLSession.
///
/// The codes of libcurl that http can end with, what they become, and the tests whose servers produce them:
///
/// | `CURLE_` | `URLError` | Test |
/// | --- | --- | --- |
/// | 1 `UNSUPPORTED_PROTOCOL` | `cannotParseResponse` | `server`, HTTP/9 |
/// | 3 `URL_MALFORMAT` | `badURL` | `nowhere`, a port above 65,535 |
/// | 5 `COULDNT_RESOLVE_PROXY` | `cannotFindHost` | `proxy` |
/// | 6 `COULDNT_RESOLVE_HOST` | `cannotFindHost` | `nowhere` |
/// | 7 `COULDNT_CONNECT` | `cannotConnectToHost` | `nowhere`, `EventLoopTests.descriptors` |
/// | 8 `WEIRD_SERVER_REPLY` | `cannotParseResponse` | `server`, a length below 0, NUL, no colon |
/// | 16 `HTTP2`, 92 `HTTP2_STREAM` | `networkConnectionLost` | `frames`, `EarlyAnswerTests.cut` |
/// | 18 `PARTIAL_FILE` | `networkConnectionLost` | `server`, `CutResponseTests.cut` |
/// | 23 `WRITE_ERROR` | `cannotDecodeRawData` | `server`, gzip with more behind it |
/// | 26 `READ_ERROR` | `requestBodyStreamExhausted` | `FailingStreamTests`, `ShrinkingFileTests` |
/// | 27 `OUT_OF_MEMORY`, 43 `BAD_FUNCTION_ARGUMENT`, 100 `TOO_LARGE` | `cannotParseResponse` | `server`, by version: a long field, no name |
/// | 35 `SSL_CONNECT_ERROR` | `secureConnectionFailed`, or what an alert says | `handshake` |
/// | 42 `ABORTED_BY_CALLBACK` | `networkConnectionLost` | `KeptConnectionTests.post` |
/// | 43 `BAD_FUNCTION_ARGUMENT` before the request, 58 `SSL_CERTPROBLEM` | `secureConnectionFailed` | `clientCertificate`, by version |
/// | 47 `TOO_MANY_REDIRECTS` | none: the response | `DigestTests.alwaysStale` |
/// | 52 `GOT_NOTHING` | `networkConnectionLost` | `server`, no response |
/// | 55 `SEND_ERROR` | `networkConnectionLost` | `upload` |
/// | 56 `RECV_ERROR` | `networkConnectionLost` | `server`, reset; `TunnelTests.refusal` |
/// | 60 `PEER_FAILED_VERIFICATION` | `serverCertificate…` | `TLSTests`, `TrustedServerTests.certificate` |
/// | 61 `BAD_CONTENT_ENCODING` | `cannotDecodeRawData`, `cannotDecodeContentData` | `server`, broken gzip, unknown encoding |
/// | 65 `SEND_FAIL_REWIND` | `networkConnectionLost` | `KeptConnectionTests.stream` |
/// | 77 `SSL_CACERT_BADFILE` | `secureConnectionFailed` | `AuthoritiesOfEnvironmentTests.missingFile` |
/// | 90 `SSL_PINNEDPUBKEYNOTMATCH` | `serverCertificateUntrusted` | `PinnedPublicKeysTests.pins` |
/// | 97 `PROXY` | `cannotConnectToHost` | `proxy` |
/// | 98 `SSL_CLIENTCERT` | `clientCertificateRequired` | `handshake` |
///
/// The others that `CurlFailure` knows come with options that the library does not set: engines (53, 54, 66), ciphers (59), revoked
/// certificates (82), issuers (83), stapled answers (91), or with FTP (64, 80). The timeout is the library's own, so 28
/// `OPERATION_TIMEDOUT` does not come.
@Suite(.inTurn)
struct CurlFailureTests {
    @Test(
        "What a server does wrong has Apple's code, by handler, await and with progress",
        arguments: [
            ("truncated", .networkConnectionLost, .truncated("abc", of: 9)),
            ("chunk cut off", .networkConnectionLost, .raw("Transfer-Encoding: chunked", body: "5\r\nab")),
            ("broken chunk", .networkConnectionLost, .raw("Transfer-Encoding: chunked", body: "zz\r\nab")),
            ("no response", .networkConnectionLost, .closed),
            ("reset", .networkConnectionLost, .reset),
            ("broken gzip", .cannotDecodeRawData, .raw("Content-Encoding: gzip\r\nContent-Length: 5", body: "abcde")),
            ("gzip with more behind it", .cannotDecodeRawData, .raw("Content-Encoding: gzip", body: gzip + gzip)),
            ("unknown encoding", .cannotDecodeContentData, .raw("Content-Encoding: x\r\nContent-Length: 1", body: "a")),
            ("no HTTP", .cannotParseResponse, .raw("hello\r\n\r\n")),
            ("HTTP/9", .cannotParseResponse, .raw("HTTP/9.9 200 OK\r\n\r\n")),
            ("a field of 110 kB", .cannotParseResponse, .header("X: \(repeated(110_000))")),
            (
                "a head of 320 kB", .cannotParseResponse,
                .header(String(repeating: "X: \(repeated(1_000))\r\n", count: 320) + "Y: y")
            ),
            ("a field without a name", .cannotParseResponse, .raw(" : x", body: "")),
            ("a field without a colon", .cannotParseResponse, .raw("X-Name", body: "")),
            ("a length below 0", .cannotParseResponse, .raw("Content-Length: -1", body: "")),
            ("a field with NUL", .cannotParseResponse, .raw("X-Name: \0", body: "")),
        ] as [(String, URLError.Code, LoopbackServer.Response)], APIForm.some)
    func server(_ row: (name: String, code: URLError.Code, response: LoopbackServer.Response), _ form: APIForm)
        async throws
    {
        let server = try LoopbackServer(row.response)
        // Where `localhost` has the address `::1`, too, that one refuses the connection.
        for host in ["127.0.0.1", "localhost"] {
            let url = try #require(URL(string: "http://\(host):\(server.port)/"))
            let error = try #require(await form(url).error?.urlError)
            #expect(error.code == row.code, "\(host): \(error.localizedDescription)")
        }
    }

    @Test("An address of version 6 is a host as any other", arguments: APIForm.some)
    func addressOfVersion6(_ form: APIForm) async throws {
        // Nobody listens, whether the system has such addresses or not.
        let url = try #require(URL(string: "http://[::1]:9/"))
        #expect(await form(url).error?.urlError?.code == .cannotConnectToHost)
    }

    private static func repeated(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// The letters `abc`, compressed.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
    ]

    @Test(
        "A URL that leads nowhere has Apple's code", arguments: APIForm.some,
        [
            ("http://host.invalid/", .cannotFindHost), ("http://127.0.0.1:1/", .cannotConnectToHost),
            ("http://127.0.0.1:99999/", .badURL),
        ] as [(String, URLError.Code)])
    func nowhere(_ form: APIForm, _ row: (url: String, code: URLError.Code)) async throws {
        #expect(await form(try #require(URL(string: row.url))).error?.urlError?.code == row.code)
    }

    @Test(
        "An upload whose connection ends half way is lost", arguments: ["data", "file", "stream"], [false, true])
    func upload(source: String, isReset: Bool) async throws {
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            _ = try connection.readPartOfBody(1 << 20)
            if isReset { connection.reset() } else { connection.close() }
        }
        let session = URLSession(configuration: .forTests)
        var request = URLRequest(url: server.url(), method: .put)
        let body = Data(count: 8 << 20)
        let folder = TemporaryFolder()
        let result: DataResult
        switch source {
        case "data": result = await session.uploadResult(for: request, from: body)
        case "file": result = await session.uploadResult(for: request, fromFile: folder.file("file", body))
        default:
            request.httpBodyStream = InputStream(data: body)
            result = await session.dataResult(for: request)
        }
        #expect(result.error?.urlError?.code == .networkConnectionLost)
    }

    /// What a server sends in place of its part of a handshake.
    private static let handshakes: [(String, URLError.Code, [UInt8])] = [
        ("no TLS", .secureConnectionFailed, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
        ("nothing", .secureConnectionFailed, []),
        ("the alert handshake_failure", .secureConnectionFailed, alert(40)),
        ("the alert protocol_version", .secureConnectionFailed, alert(70)),
        ("the alert bad_certificate", .clientCertificateRejected, alert(42)),
        ("the alert certificate_required", .clientCertificateRequired, alert(116)),
    ]

    /// A fatal alert (RFC 8446, section 6).
    private static func alert(_ description: UInt8) -> [UInt8] { [21, 3, 3, 0, 2, 2, description] }

    @Test("A handshake that fails says why", arguments: handshakes, APIForm.some)
    func handshake(_ row: (name: String, code: URLError.Code, bytes: [UInt8]), _ form: APIForm) async throws {
        // It answers before it has read a request.
        let socket = try Socket.listening()
        let port = try socket.port()
        Thread.detachNewThread {
            guard let connection = try? socket.accept() else { return }
            try? connection.send(Data(row.bytes))
            var received = Data()
            _ = try? connection.receive(into: &received, atMost: 1 << 16)
            withExtendedLifetime(socket) {}
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        let error = try #require(await form(url).error)
        #expect(error.urlError?.code == row.code, "\(error)")
        if row.code == .secureConnectionFailed {
            #expect(error.localizedDescription.hasPrefix("There is no secure connection"))
        }
    }

    #if os(Linux)
    /// Why a client's certificate cannot be used.
    enum UnusableCertificate: CaseIterable, Sendable {
        case missing, withoutKey, withKeyOfOther, malformed
    }

    @Test(
        "A client's certificate that cannot be used is an error, also where no server asks for it",
        arguments: UnusableCertificate.allCases, APIForm.some)
    func clientCertificate(_ reason: UnusableCertificate, _ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        let folder = TemporaryFolder()
        let valid = URL(fileURLWithPath: Certificate.valid.path)
        let (file, keyFile) =
            switch reason {
            case .missing: (folder.file("none"), nil as URL?)
            case .withoutKey: (URL(fileURLWithPath: Certificate.authorityPath), nil)
            case .withKeyOfOther: (valid, URL(fileURLWithPath: Certificate.expired.path))
            case .malformed: (folder.file("file", Data("no certificate".utf8)), nil)
            }
        let session = URLSession(configuration: .forTests)
        session.setClientCertificate(file, keyFile: keyFile, forHost: "127.0.0.1")
        // Otherwise the server would be refused, for its authority is not trusted, or be asked.
        #expect(await form(server.url(), in: session).error?.urlError?.code == .secureConnectionFailed)
        #expect(server.requests.isEmpty)
    }
    #endif

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "A proxy that is not found, or refuses, has a code of its own",
        arguments: [
            ("http://host.invalid:1", URLError.Code.cannotFindHost.rawValue),
            ("socks5://", URLError.Code.cannotConnectToHost.rawValue),
        ])
    func proxy(url: String, code: Int) async {
        await #expect(processExitsWith: .success) { [url, code] in
            let socket = try Socket.listening()
            let port = try socket.port()
            Thread.detachNewThread {
                while let connection = try? socket.accept() {
                    // No method of authentication is good enough (RFC 1928).
                    try? connection.send(Data([5, 0xFF]))
                    var received = Data()
                    _ = try? connection.receive(into: &received, atMost: 1 << 16)
                }
            }
            setenv("http_proxy", url == "socks5://" ? "\(url)127.0.0.1:\(port)" : url, 1)
            for form in APIForm.some {
                let error = await form(try #require(URL(string: "http://127.0.0.1:1/"))).error
                #expect(error?.urlError?.code.rawValue == code, "\(form)")
            }
        }
    }
    #endif

    #if os(Linux)
    /// What a server answers to a request over HTTP/2, before the connection ends or the stream does.
    enum Frames: String, CaseIterable, Sendable {
        case none, brokenFrame, resetStream, resetAfterHead, headWithoutStatus, cutHead, cutBody, goodbye

        fileprivate func frames(of stream: UInt32) -> [FrameServer.Frame] {
            let internalError = Data([0, 0, 0, 2])
            let reset = FrameServer.Frame(kind: .reset, stream: stream, payload: internalError)
            let head = FrameServer.Frame.head(of: stream, contentLength: 9)
            switch self {
            case .none: return []
            // Data belong to a stream.
            case .brokenFrame: return [.data("abc", of: 0, isLast: true)]
            case .resetStream: return [reset]
            case .resetAfterHead: return [head, reset]
            // The entry ":method: GET" of the static table.
            case .headWithoutStatus: return [.init(kind: .head, flags: 4, stream: stream, payload: Data([0x82]))]
            case .cutHead: return [.init(kind: .head, flags: 0, stream: stream, payload: head.payload)]
            case .cutBody: return [head, .data("abc", of: stream, isLast: true)]
            case .goodbye: return [.goodbye(after: stream)]
            }
        }
    }

    @Test(
        "A connection or a stream of HTTP/2 that ends too early is lost", .enabled(if: TrustedServer.areRunning),
        arguments: Frames.allCases, APIForm.some)
    func frames(_ frames: Frames, _ form: APIForm) async throws {
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: 0)
            try connection.send(frames.frames(of: stream))
            if frames == .resetStream || frames == .resetAfterHead { try connection.awaitEnd() }
        }
        // One that must not be sent twice.
        var request = URLRequest(url: try server.url(), method: form.uploads ? .post : .get)
        request.timeoutInterval = 10
        let error = await form.run(URLSession(configuration: .forTests), request).error
        #expect(error?.urlError?.code == .networkConnectionLost, "\(String(describing: error))")
    }
    #endif
}

#endif
