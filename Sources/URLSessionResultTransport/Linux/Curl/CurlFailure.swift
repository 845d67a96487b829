#if canImport(FoundationNetworking)

import Foundation

/// Why libcurl has failed.
struct CurlFailure {
    let code: CurlCode
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
    /// else has these codes, except for a paused transfer. Up to 8.5, a trailer of more than 4,096 bytes has the code of broken chunks, and
    /// is an error.
    var isOfTrailers: Bool {
        hasHead && [.weirdServerReply, .outOfMemory, .badFunctionArgument, .tooLarge].contains(code)
    }

    /// The code that Apple's URLSession has for it.
    var urlErrorCode: URLError.Code {
        switch code {
        case .malformedURL: .badURL
        case .couldNotResolveProxy, .couldNotResolveHost: .cannotFindHost
        case .couldNotConnect: errorNumber == Int(POSIXErrorCode.ETIMEDOUT.rawValue) ? .timedOut : .cannotConnectToHost
        // What a SOCKS proxy answers.
        case .proxy: .cannotConnectToHost
        case .timedOut: .timedOut
        // The key of a client's certificate cannot be read, or is another's. Before 8.16, it is `sslCertificateProblem`.
        case .badFunctionArgument where isBeforeRequest: .secureConnectionFailed
        // The protocol of a response, a field that is too long (up to 8.5), and a field without a name are among them.
        case .unsupportedProtocol, .weirdServerReply, .outOfMemory, .badFunctionArgument, .tooLarge:
            .cannotParseResponse
        // With a head: bytes after a whole gzip body.
        case .writeError: hasHead ? .cannotDecodeRawData : .cannotParseResponse
        case .readError: .requestBodyStreamExhausted
        case .badContentEncoding: decodes ? .cannotDecodeRawData : .cannotDecodeContentData
        case .peerFailedVerification: certificateCode
        case .sslPinnedKeyNotMatched: .serverCertificateUntrusted
        case .sslClientCertificate: .clientCertificateRequired
        case .sslConnectError, .sslEngineNotFound, .sslEngineSetFailed, .sslCertificateProblem, .sslCipher,
            .useSSLFailed,
            .sslEngineInitializationFailed, .sslBadAuthorities, .sslShutdownFailed, .sslBadRevocationList,
            .sslIssuerError,
            .sslInvalidCertificateStatus:
            alertCode ?? .secureConnectionFailed
        // `abortedByCallback`: a request that must not be sent twice.
        case .http2, .partialFile, .abortedByCallback, .gotNothing, .sendError, .sendFailedRewind, .http2Stream:
            .networkConnectionLost
        case .receiveError: alertCode ?? .networkConnectionLost
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
