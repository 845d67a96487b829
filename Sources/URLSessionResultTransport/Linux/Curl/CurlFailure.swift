#if canImport(FoundationNetworking)

import Foundation

/// Why libcurl has failed.
struct CurlFailure {
    let code: CInt
    let message: String
    let errorNumber: Int

    /// What OpenSSL says of a certificate (`X509_V_ERR_…`).
    let verifyResult: Int

    /// Whether libcurl had no connection yet on which it could send the request.
    let isBeforeRequest: Bool

    /// Whether the head of the response was there.
    let hasHead: Bool

    /// Whether libcurl knows the encodings of the body.
    let decodes: Bool

    /// Whether only the trailers after a whole body are wrong: without a colon, too many, or too long. Once the head is there, nothing
    /// else has these codes, except for a paused transfer.
    var isOfTrailers: Bool {
        // WEIRD_SERVER_REPLY, OUT_OF_MEMORY, BAD_FUNCTION_ARGUMENT, TOO_LARGE. Up to 8.5, RECV_ERROR is that of broken chunks, too.
        hasHead && ([8, 27, 43, 100].contains(code) || code == 56 && message == "Out of memory in chunked-encoding")
    }

    /// The code that Apple's URLSession has for it.
    var urlErrorCode: URLError.Code {
        switch code {
        case 3: .badURL  // URL_MALFORMAT
        case 5, 6: .cannotFindHost  // COULDNT_RESOLVE_PROXY, COULDNT_RESOLVE_HOST
        case 7: errorNumber == Int(POSIXErrorCode.ETIMEDOUT.rawValue) ? .timedOut : .cannotConnectToHost
        case 97: .cannotConnectToHost  // PROXY: what a SOCKS proxy answers
        case 28: .timedOut  // OPERATION_TIMEDOUT
        // BAD_FUNCTION_ARGUMENT: the key of a client's certificate cannot be read, or is another's. Before 8.16, it is SSL_CERTPROBLEM.
        case 43 where isBeforeRequest: .secureConnectionFailed
        // UNSUPPORTED_PROTOCOL (of the response), WEIRD_SERVER_REPLY, OUT_OF_MEMORY (a field that is too long, to 8.5),
        // BAD_FUNCTION_ARGUMENT (a field without a name), TOO_LARGE.
        case 1, 8, 27, 43, 100: .cannotParseResponse
        case 23: hasHead ? .cannotDecodeRawData : .cannotParseResponse  // WRITE_ERROR: bytes after a whole gzip body
        case 26: .requestBodyStreamExhausted  // READ_ERROR
        case 61: decodes ? .cannotDecodeRawData : .cannotDecodeContentData  // BAD_CONTENT_ENCODING
        case 60: certificateCode  // PEER_FAILED_VERIFICATION
        case 90: .serverCertificateUntrusted  // SSL_PINNEDPUBKEYNOTMATCH
        case 98: .clientCertificateRequired  // SSL_CLIENTCERT
        // SSL_CONNECT_ERROR, SSL_ENGINE_…, SSL_CERTPROBLEM, SSL_CIPHER, USE_SSL_FAILED, SSL_CACERT_BADFILE, …
        case 35, 53, 54, 58, 59, 64, 66, 77, 80, 82, 83, 91: alertCode ?? .secureConnectionFailed
        // HTTP2, PARTIAL_FILE, ABORTED_BY_CALLBACK (a request that must not be sent twice), GOT_NOTHING, SEND_ERROR,
        // SEND_FAIL_REWIND, HTTP2_STREAM.
        case 16, 18, 42, 52, 55, 65, 92: .networkConnectionLost
        case 56: alertCode ?? .networkConnectionLost  // RECV_ERROR
        default: .unknown
        }
    }

    private var certificateCode: URLError.Code {
        switch verifyResult {
        case 9: .serverCertificateNotYetValid
        case 10: .serverCertificateHasBadDate
        default: .serverCertificateUntrusted
        }
    }

    /// What a server says of the client's certificate comes with the response. OpenSSL alone knows the number of the alert.
    private var alertCode: URLError.Code? {
        guard let alert = message.range(of: " alert ").map({ message[$0.upperBound...] }) else { return nil }
        if alert.hasPrefix("certificate required") { return .clientCertificateRequired }
        let rejections = ["bad certificate", "unsupported certificate", "certificate revoked", "certificate unknown"]
        return rejections.contains { alert.hasPrefix($0) } || alert.hasPrefix("unknown ca")
            ? .clientCertificateRejected : nil
    }
}

#endif
