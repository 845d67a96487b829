#if canImport(FoundationNetworking)

import Foundation

extension URLError {
    /// The error with the code that Apple's URLSession has for it, and with itself as the underlying error.
    ///
    /// FoundationNetworking knows eight of libcurl's errors, and gives `.unknown` for most others.
    var withAppleCode: URLError {
        guard [.unknown, .badServerResponse, .unsupportedURL].contains(code) else { return self }
        guard let match = appleCodes.first(where: { localizedDescription.contains($0.key) }) else { return self }
        var userInfo = userInfo
        if userInfo[NSUnderlyingErrorKey] == nil { userInfo[NSUnderlyingErrorKey] = self }
        return URLError(match.value, userInfo: userInfo)
    }
}

/// What libcurl says, and what Apple's URLSession calls it. The first fragment that a message contains decides.
///
/// The messages are those of libcurl 7.88 with OpenSSL 3. The last fragment is from libcurl 8.
private let appleCodes: KeyValuePairs<String, URLError.Code> = [
    "certificate has expired": .serverCertificateHasBadDate,
    "certificate is not yet valid": .serverCertificateNotYetValid,
    "SSL certificate problem": .serverCertificateUntrusted,
    "certificate subject name": .serverCertificateUntrusted,
    "SSL certificate verification failed": .serverCertificateUntrusted,
    "alert certificate required": .clientCertificateRequired,
    "alert bad certificate": .clientCertificateRejected,
    "alert unsupported certificate": .clientCertificateRejected,
    "alert certificate revoked": .clientCertificateRejected,
    "alert certificate unknown": .clientCertificateRejected,
    "alert unknown ca": .clientCertificateRejected,
    "transfer closed with": .networkConnectionLost,
    "chunked": .networkConnectionLost,
    "Empty reply from server": .networkConnectionLost,
    "Connection reset by peer": .networkConnectionLost,
    "Broken pipe": .networkConnectionLost,
    "Connection died": .networkConnectionLost,
    "not closed cleanly": .networkConnectionLost,
    "HTTP2 framing layer": .networkConnectionLost,  // GOAWAY
    "Failed to connect": .cannotConnectToHost,
    "content unencoding": .cannotDecodeRawData,
    "Failed writing received data": .cannotDecodeRawData,  // bytes after a whole gzip body
    "content encoding": .cannotDecodeContentData,
    "Content or Transfer-Encoding": .cannotDecodeContentData,
    "HTTP/0.9": .cannotParseResponse,
    "HTTP version": .cannotParseResponse,
    "response code": .cannotParseResponse,
    "Header without colon": .cannotParseResponse,
    "Nul byte in header": .cannotParseResponse,
    "Invalid Content-Length": .cannotParseResponse,
    "Failed writing header": .cannotParseResponse,
    "Out of memory": .cannotParseResponse,  // a field of more than 100 kB
    "bad argument": .cannotParseResponse,  // a field without a name
    "SSL": .secureConnectionFailed,
    "TLS": .secureConnectionFailed,
]

// Workaround: `URLSession` gives `URLError.unknown` for every failure of TLS and for a body that ends early
// Instead: the library gives Apple's codes in ``NetworkError/urlError``
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.codeOfTLS
// Upstream: not reported
// May go: this file

#endif
