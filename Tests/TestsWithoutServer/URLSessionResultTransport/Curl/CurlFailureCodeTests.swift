#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Which code an error of libcurl has.
struct CurlFailureCodeTests {
    private func code(
        of code: CInt, message: String = "", errorNumber: Int = 0, verifyResult: Int = 0, isBeforeRequest: Bool = false,
        hasHead: Bool = false, decodes: Bool = true
    ) -> URLError.Code {
        CurlFailure(
            code: CurlCode(rawValue: code), message: message, errorNumber: errorNumber, verifyResult: verifyResult,
            isBeforeRequest: isBeforeRequest, hasHead: hasHead, decodes: decodes
        ).urlErrorCode
    }

    @Test("Each number of libcurl has one code")
    func numbers() {
        let codes: [URLError.Code: [CInt]] = [
            .badURL: [3], .cannotFindHost: [5, 6], .cannotConnectToHost: [7, 97], .timedOut: [28],
            .cannotParseResponse: [1, 8, 23, 27, 43, 100], .requestBodyStreamExhausted: [26],
            .cannotDecodeRawData: [61], .serverCertificateUntrusted: [60, 90], .clientCertificateRequired: [98],
            .secureConnectionFailed: [35, 53, 54, 58, 59, 64, 66, 77, 80, 82, 83, 91],
            .networkConnectionLost: [16, 18, 42, 52, 55, 56, 65, 92],
        ]
        for number in CInt(1)...102 {
            let code = codes.first { $0.value.contains(number) }?.key ?? .unknown
            #expect(self.code(of: number) == code, "\(number)")
        }
    }

    @Test("What else is known decides among several codes")
    func circumstances() {
        #expect(code(of: 7, errorNumber: Int(POSIXErrorCode.ETIMEDOUT.rawValue)) == .timedOut)
        #expect(code(of: 43, isBeforeRequest: true) == .secureConnectionFailed)
        #expect(code(of: 23, hasHead: true) == .cannotDecodeRawData)
        #expect(code(of: 61, decodes: false) == .cannotDecodeContentData)
        #expect(code(of: 60, verifyResult: 9) == .serverCertificateNotYetValid)
        #expect(code(of: 60, verifyResult: 10) == .serverCertificateHasBadDate)
        #expect(code(of: 60, verifyResult: 18) == .serverCertificateUntrusted)
    }

    @Test("The alert of a server about the client's certificate counts where TLS or the connection fails")
    func alerts() {
        let alerts: [String: URLError.Code] = [
            "certificate required": .clientCertificateRequired, "bad certificate": .clientCertificateRejected,
            "unsupported certificate": .clientCertificateRejected, "unknown ca": .clientCertificateRejected,
            "certificate revoked": .clientCertificateRejected, "certificate unknown": .clientCertificateRejected,
        ]
        for (alert, expected) in alerts {
            let message = "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert \(alert), errno 0"
            #expect(code(of: 35, message: message) == expected, "\(alert)")
            #expect(code(of: 56, message: message) == expected, "\(alert)")
            #expect(code(of: 52, message: message) == .networkConnectionLost, "\(alert)")
        }
        #expect(code(of: 35, message: "tlsv1 alert protocol version") == .secureConnectionFailed)
        #expect(code(of: 56, message: "tlsv1 alert internal error") == .networkConnectionLost)
    }

    @Test("Broken trailers are no matter of the body, and nothing else is")
    func trailers() {
        func isOfTrailers(_ code: CInt, hasHead: Bool) -> Bool {
            CurlFailure(
                code: CurlCode(rawValue: code), message: "", errorNumber: 0, verifyResult: 0,
                isBeforeRequest: false, hasHead: hasHead,
                decodes: true
            ).isOfTrailers
        }
        for number in CInt(1)...102 {
            #expect(isOfTrailers(number, hasHead: true) == [8, 27, 43, 100].contains(number), "\(number)")
            #expect(!isOfTrailers(number, hasHead: false), "\(number)")
        }
    }
}

#endif
