#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// `urlError` has the codes of Apple's URLSession.
@Suite(.inTurn)
struct LibcurlMessageTests {
    /// A message of libcurl with the code that FoundationNetworking gives, and Apple's code.
    struct Row: CustomTestStringConvertible {
        let message: String
        let code: URLError.Code
        var codeOnLinux = URLError.Code.unknown

        var testDescription: String { message }

        /// The messages of libcurl 7.88 with OpenSSL 3.0, from servers made for the purpose, and those of later versions that
        /// read otherwise.
        static let certificates = [
            Row(message: "SSL certificate problem: certificate has expired", code: .serverCertificateHasBadDate),
            Row(message: "SSL certificate problem: certificate is not yet valid", code: .serverCertificateNotYetValid),
            Row(message: "SSL certificate problem: self-signed certificate", code: .serverCertificateUntrusted),
            Row(
                message: "SSL certificate problem: self-signed certificate in certificate chain",
                code: .serverCertificateUntrusted),
            Row(
                message: "SSL certificate problem: unable to get local issuer certificate",
                code: .serverCertificateUntrusted),
            Row(
                message: "SSL: no alternative certificate subject name matches target host name '127.0.0.1'",
                code: .serverCertificateUntrusted),
            Row(
                message: "SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'",
                code: .serverCertificateUntrusted),
            Row(message: "SSL certificate verification failed", code: .serverCertificateUntrusted),
            Row(
                message: "SSL certificate OpenSSL verify result: certificate has expired (10)",
                code: .serverCertificateHasBadDate),
            Row(
                message: "SSL certificate OpenSSL verify result: self-signed certificate (18)",
                code: .serverCertificateUntrusted),
            alert("tlsv13 alert certificate required", .clientCertificateRequired),
            alert("sslv3 alert bad certificate", .clientCertificateRejected),
            alert("sslv3 alert unsupported certificate", .clientCertificateRejected),
            alert("sslv3 alert certificate revoked", .clientCertificateRejected),
            alert("sslv3 alert certificate unknown", .clientCertificateRejected),
            alert("tlsv1 alert unknown ca", .clientCertificateRejected),
        ]

        static let handshakes = [
            Row(
                message: "error setting certificate file: /etc/ssl/certs/ca-certificates.crt",
                code: .secureConnectionFailed),
            Row(
                message: "error adding trust anchors from file: /etc/pki/tls/certs/ca-bundle.crt",
                code: .secureConnectionFailed),
            alert("sslv3 alert handshake failure", .secureConnectionFailed),
            alert("wrong version number", .secureConnectionFailed),
            alert("tlsv1 alert protocol version", .secureConnectionFailed),
            alert("tlsv1 alert internal error", .secureConnectionFailed),
            alert("legacy sigalg disallowed or unsupported", .secureConnectionFailed),
            Row(message: "TLS connect error: error:00000000:lib(0)::reason(0)", code: .secureConnectionFailed),
            Row(
                message: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:9501 ",
                code: .secureConnectionFailed),
            Row(
                message: "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000119:SSL routines::decryption failed or bad "
                    + "record mac, errno 0", code: .secureConnectionFailed),
        ]

        /// Connections with TLS that are cut off.
        static let cutOff = [
            Row(
                message: "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000126:SSL routines::unexpected eof while reading, "
                    + "errno 0", code: .networkConnectionLost),
            Row(message: "OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 0", code: .networkConnectionLost),
        ]

        static let connections = [
            Row(message: "transfer closed with 18 bytes remaining to read", code: .networkConnectionLost),
            Row(message: "transfer closed with outstanding read data remaining", code: .networkConnectionLost),
            Row(message: "Illegal or missing hexadecimal sequence in chunked-encoding", code: .networkConnectionLost),
            Row(message: "Failed reading the chunked-encoded stream", code: .networkConnectionLost),
            Row(message: "Malformed encoding found in chunked-encoding", code: .networkConnectionLost),
            Row(message: "Too long hexadecimal number in chunked-encoding", code: .networkConnectionLost),
            Row(message: "end of response with 18 bytes missing", code: .networkConnectionLost),
            Row(message: "chunk hex-length char not a hex digit: 0x78", code: .networkConnectionLost),
            Row(message: "chunk hex-length longer than 16", code: .networkConnectionLost),
            Row(message: "invalid chunk size: '8000000000000000'", code: .networkConnectionLost),
            Row(message: "Empty reply from server", code: .networkConnectionLost, codeOnLinux: .badServerResponse),
            Row(message: "Recv failure: Connection reset by peer", code: .networkConnectionLost),
            Row(message: "Send failure: Broken pipe", code: .networkConnectionLost),
            Row(
                message: "Connection died, tried 5 times before giving up", code: .networkConnectionLost),
            Row(
                message: "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)",
                code: .networkConnectionLost),
            Row(message: "Error in the HTTP2 framing layer", code: .networkConnectionLost),
            Row(message: "Version mismatch (from HTTP/1 to HTTP/2)", code: .cannotParseResponse),
            Row(
                message:
                    "HTTP/2 stream 1 was closed cleanly, but before getting  all response header fields, treated as "
                    + "error", code: .networkConnectionLost),
            Row(
                message: "HTTP/2 stream 1 reset by server (error 0x2 INTERNAL_ERROR)", code: .networkConnectionLost),
            Row(
                message: "Failed to connect to 10.1.2.3 port 80 after 0 ms: Couldn't connect to server",
                code: .cannotConnectToHost),
            Row(
                message: "Failed to connect to TLS.example.com:80 via 10.1.2.3 after 0 ms: Could not connect to server",
                code: .cannotConnectToHost),
        ]

        static let responses = [
            Row(
                message: "Error while processing content unencoding: incorrect header check",
                code: .cannotDecodeRawData),
            Row(
                message: "Unrecognized content encoding type. libcurl understands deflate, gzip, br, zstd content "
                    + "encodings.", code: .cannotDecodeContentData),
            Row(
                message: "Unrecognized or bad HTTP Content or Transfer-Encoding", code: .cannotDecodeContentData),
            Row(
                message: "Reject response due to more than 5 content encodings", code: .cannotDecodeContentData),
            Row(
                message: "Received HTTP/0.9 when not allowed", code: .cannotParseResponse, codeOnLinux: .unsupportedURL),
            Row(
                message: "Unsupported HTTP version (9.9) in response", code: .cannotParseResponse,
                codeOnLinux: .unsupportedURL),
            Row(
                message: "Unsupported response code in HTTP response", code: .cannotParseResponse,
                codeOnLinux: .unsupportedURL),
            Row(message: "Header without colon", code: .cannotParseResponse),
            Row(message: "Nul byte in header", code: .cannotParseResponse),
            Row(message: "Invalid Content-Length: value", code: .cannotParseResponse),
            Row(message: "Failed writing header", code: .cannotParseResponse),
            Row(message: "Failed writing received data to disk/application", code: .cannotDecodeRawData),
            Row(message: "Out of memory", code: .cannotParseResponse),
            Row(message: "A libcurl function was given a bad argument", code: .cannotParseResponse),
            Row(message: "Unsolicited Transfer-Encoding (gzip) found", code: .cannotDecodeContentData),
            Row(
                message: "Reject response due to 'chunked' not being the last Transfer-Encoding",
                code: .cannotDecodeContentData),
            Row(message: "Unrecognized content encoding type", code: .cannotDecodeContentData),
            Row(message: "Reject response exceeding limit of 5 content encodings", code: .cannotDecodeContentData),
            Row(message: "Multi-member gzip response not supported", code: .cannotDecodeRawData),
            Row(
                message: "Unsupported HTTP/1 subversion in response", code: .cannotParseResponse,
                codeOnLinux: .unsupportedURL),
            Row(message: "Invalid status line", code: .cannotParseResponse),
            Row(message: "Weird server reply", code: .cannotParseResponse),
            Row(message: "NUL byte in header", code: .cannotParseResponse),
            Row(message: "Carriage return found in header", code: .cannotParseResponse),
            Row(message: "Too large response headers: 307210 > 307200", code: .cannotParseResponse),
            Row(message: "Too many response headers, 5000 is max", code: .cannotParseResponse),
            Row(message: "Multiple Location headers", code: .cannotParseResponse),
            Row(
                message: "Failure writing output to destination, passed 11 returned 18446744073709551615",
                code: .cannotParseResponse),
            Row(message: "A value or data field grew larger than allowed", code: .cannotParseResponse),
        ]

        /// What remains as FoundationNetworking has it.
        static let others = [
            Row(message: "Could not resolve host: x", code: .cannotFindHost, codeOnLinux: .cannotFindHost),
            Row(message: "unsupported URL", code: .unsupportedURL, codeOnLinux: .unsupportedURL),
            Row(message: "The request timed out.", code: .timedOut, codeOnLinux: .timedOut),
            Row(message: "a certificate has expired", code: .cancelled, codeOnLinux: .cancelled),
            Row(message: "Something else", code: .unknown),
            Row(message: "Something else", code: .cannotConnectToHost, codeOnLinux: .cannotConnectToHost),
            Row(message: "", code: .unknown),
        ]

        /// FoundationNetworking gives this code for every error after another address of the host refused the connection.
        static let afterRefusal = (certificates + handshakes + cutOff + connections + responses).map {
            Row(message: $0.message, code: $0.code, codeOnLinux: .cannotConnectToHost)
        }

        private static func alert(_ name: String, _ code: URLError.Code) -> Row {
            Row(message: "OpenSSL/3.0.19: error:0A000410:SSL routines::\(name)", code: code)
        }
    }

    @Test(
        "A message of libcurl gives Apple's code, with the original underneath",
        arguments: [
            Row.certificates, Row.handshakes, Row.cutOff, Row.connections, Row.responses, Row.others, Row.afterRefusal,
        ].flatMap(\.self))
    func message(_ row: Row) throws {
        let url = try #require(URL(string: "https://example.com/x"))
        let userInfo: [String: Any] = [NSLocalizedDescriptionKey: row.message, NSURLErrorFailingURLErrorKey: url]
        let original = URLError(row.codeOnLinux, userInfo: userInfo)
        let error = NetworkError.transportError(original)
        let urlError = try #require(error.urlError)
        #expect(urlError.code == row.code)
        #expect(urlError.failingURL == url)
        #expect(urlError.localizedDescription == row.message)
        if row.code != row.codeOnLinux {
            #expect((urlError.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == row.codeOnLinux)
        }
        guard case .transportError(let payload as URLError) = error else { throw error }
        #expect(payload.code == row.codeOnLinux)
    }

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
            ("Latin-1 in a field", .cannotParseResponse, .raw([0x58, 0x3A, 0xE9] as [UInt8], body: "")),
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

    private static func repeated(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// The letters `abc`, compressed.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0x4A, 6, 0, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
    ]

    @Test("A server that does not speak TLS is a failed secure connection", arguments: APIForm.some)
    func withoutTLS(_ form: APIForm) async throws {
        // It answers before it has read a request.
        let socket = try Socket.listening()
        let port = try socket.port()
        Thread.detachNewThread {
            guard let connection = try? socket.accept() else { return }
            try? connection.send(Data("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
            var received = Data()
            _ = try? connection.receive(into: &received, atMost: 1 << 16)
            withExtendedLifetime(socket) {}
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        let error = try #require(await form(url).error)
        #expect(error.urlError?.code == .secureConnectionFailed)
        #expect(error.localizedDescription.contains("securely"))
    }
}

#endif
