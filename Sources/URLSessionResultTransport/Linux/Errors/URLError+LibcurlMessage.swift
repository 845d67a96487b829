#if canImport(FoundationNetworking)

import Foundation

extension URLError {
    /// The error with the code that Apple's URLSession has for it, and with itself as the underlying error.
    ///
    /// FoundationNetworking knows eight of libcurl's errors, and gives `.unknown` for most others. It gives
    /// `.cannotConnectToHost` for every error if an earlier address of the host refused the connection, as `::1` may do for
    /// `localhost`: it judges by an error number that libcurl 8.5 and later keep from that attempt.
    package var withAppleCode: URLError {
        // Workaround: codeOfFailure
        guard [.unknown, .badServerResponse, .unsupportedURL, .cannotConnectToHost].contains(code),
            let match = appleCodes.first(where: { localizedDescription.contains($0.key) }), match.value != code
        else { return self }
        var userInfo = userInfo
        if userInfo[NSUnderlyingErrorKey] == nil { userInfo[NSUnderlyingErrorKey] = self }
        return URLError(match.value, userInfo: userInfo)
    }
}

/// What libcurl says, and what Apple's URLSession calls it. The first fragment that a message contains decides.
///
/// The messages are those of libcurl 7.88 to 8.23 with OpenSSL 3: a comment names the versions, unless all of them say so. What
/// is marked as read is in libcurl's sources, and was seen in no test. A message may name a host, but no host holds a space.
private let appleCodes: KeyValuePairs<String, URLError.Code> = [
    "Failed to connect": .cannotConnectToHost,
    "certificate subject name": .serverCertificateUntrusted,
    "certificate has expired": .serverCertificateHasBadDate,
    "certificate is not yet valid": .serverCertificateNotYetValid,
    "SSL certificate": .serverCertificateUntrusted,  // "problem" to 8.16, "OpenSSL verify result" from 8.17 on
    "setting certificate file": .secureConnectionFailed,  // the system has no authorities, to 8.16
    "trust anchors": .secureConnectionFailed,  // the same, from 8.19 on
    "alert certificate required": .clientCertificateRequired,
    "alert bad certificate": .clientCertificateRejected,
    "alert unsupported certificate": .clientCertificateRejected,
    "alert certificate revoked": .clientCertificateRejected,
    "alert certificate unknown": .clientCertificateRejected,
    "alert unknown ca": .clientCertificateRejected,
    "transfer closed with": .networkConnectionLost,  // to 8.5
    "end of response with": .networkConnectionLost,  // from 8.6 on
    "Empty reply from server": .networkConnectionLost,
    "Connection reset by peer": .networkConnectionLost,
    "Broken pipe": .networkConnectionLost,
    "pre-request callback": .networkConnectionLost,  // a request without a body that must not be sent twice
    "Connection died": .networkConnectionLost,
    "HTTP/2 stream": .networkConnectionLost,  // "was not closed cleanly" to 8.18, "reset by server" from 8.19 on
    "HTTP2 framing layer": .networkConnectionLost,  // the server ended the connection (GOAWAY)
    "unexpected eof": .networkConnectionLost,  // TLS that was cut off, from 8.14 on
    "SSL_read: SSL_ERROR_SYSCALL": .networkConnectionLost,  // the same, 8.12
    "content unencoding": .cannotDecodeRawData,
    "Failed writing received data": .cannotDecodeRawData,  // bytes after a whole gzip body, to 8.21
    "Multi-member gzip": .cannotDecodeRawData,  // the same, from 8.22 on
    "content encoding": .cannotDecodeContentData,
    "Transfer-Encoding": .cannotDecodeContentData,
    "chunked-encod": .networkConnectionLost,  // to 8.5
    "chunk hex-length": .networkConnectionLost,  // from 8.6 on
    "chunk size": .networkConnectionLost,  // from 8.13 on
    "HTTP/0.9": .cannotParseResponse,
    "HTTP version": .cannotParseResponse,
    "HTTP/1 subversion": .cannotParseResponse,
    "Version mismatch": .cannotParseResponse,  // HTTP/2 without TLS, from 8.12 on
    "status line": .cannotParseResponse,  // on a connection that was used before; read
    "response code": .cannotParseResponse,
    "Header without colon": .cannotParseResponse,
    " header": .cannotParseResponse,  // NUL or CR in one, too many or too large ones, one that cannot be written
    "Content-Length": .cannotParseResponse,
    "Failure writing output": .cannotParseResponse,  // a header that FoundationNetworking refuses, from 8.7 on
    "Out of memory": .cannotParseResponse,  // a field of more than 100 kB, to 8.5
    "grew larger than": .cannotParseResponse,  // the same, from 8.6 on
    "bad argument": .cannotParseResponse,  // a field without a name, to 8.5
    "Weird server reply": .cannotParseResponse,  // read
    "SSL": .secureConnectionFailed,
    "TLS": .secureConnectionFailed,
]

#endif
