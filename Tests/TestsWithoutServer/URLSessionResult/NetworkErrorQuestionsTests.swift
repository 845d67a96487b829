import Foundation
import Testing
import URLSessionResult

/// What a screen asks.
struct NetworkErrorQuestionsTests {
    private static let url = URL(fileURLWithPath: "/")
    private static let offlineCodes: Set<URLError.Code> = [
        .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
    ]

    private func serverError(_ status: Int) -> NetworkError {
        let head = URLResponse(url: Self.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        return .serverError(statusCode: status, response: NetworkResponse(body: Data(), urlResponse: head))
    }

    @Test("Each code of URLSession is an answer to one question at most", arguments: -3_010 ... -995)
    func codes(number: Int) {
        let possible: URLError.Code? = URLError.Code(rawValue: number)
        guard let code = possible else { return }
        let error = NetworkError.transportError(URLError(code))
        #expect(error.isOffline == Self.offlineCodes.contains(code))
        #expect(error.isTimeout == (code == .timedOut))
        #expect(error.requiresSignIn == (code == .userAuthenticationRequired))
    }

    @Test(
        "Of the status codes, only a 401 requires a sign-in",
        arguments: [400, 401, 403, 404, 407, 408, 500, 503, 504, 511])
    func statusCodes(status: Int) {
        let error = serverError(status)
        #expect(error.requiresSignIn == (status == 401))
        #expect(!error.isOffline && !error.isTimeout)
    }

    @Test(
        "Other errors are none of them, also if they hold one that is",
        arguments: [
            .noData, .encodingError(URLError(.timedOut)),
            .decodingError(URLError(.notConnectedToInternet), response: nil),
            .decodingError(URLError(.userAuthenticationRequired), response: nil), .transportError(CancellationError()),
            .transportError(CocoaError(.fileNoSuchFile)), .transportError(POSIXError(.ECONNABORTED)),
        ] as [NetworkError])
    func others(error: NetworkError) {
        #expect(!error.isOffline && !error.isTimeout && !error.requiresSignIn)
    }

    @Test("An NSError counts as what its domain and code say")
    func bridged() {
        let error = NetworkError.transportError(NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut))
        #expect(error.isTimeout)
    }
}
