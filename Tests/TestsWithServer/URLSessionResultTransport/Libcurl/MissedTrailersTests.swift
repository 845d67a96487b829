#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the library makes of the end that FoundationNetworking 6.4 gives a response with trailers.
@Suite(.inTurn)
struct MissedTrailersTests {
    @Test(
        "A response that FoundationNetworking has told and then misses is whole",
        arguments: [
            ("200", "abc"), ("404", "status 404"), ("304", "status 304"), ("103", "networkConnectionLost"),
            ("none", "networkConnectionLost"), ("lost", "networkConnectionLost"),
        ]
            + [301, 302, 303, 307, 308, 401, 407].map { ("\($0)", "networkConnectionLost") })
    func missedResponse(kind: String, outcome: String) async throws {
        #expect(MissingProtocol.isRegistered)
        let url = try #require(URL(string: "missing:///\(kind)"))
        let session = URLSession(configuration: .forTests)
        switch await session.dataResult(from: url) {
        case .success(let body): #expect(String(decoding: body, as: UTF8.self) == outcome)
        case .failure(.serverError(let code, let response)):
            #expect("status \(code)" == outcome)
            #expect(response.body == Data("abc".utf8))
        case .failure(let error):
            #expect(error.urlError?.code == .networkConnectionLost)
            #expect(outcome == "networkConnectionLost")
        }
    }
}

/// Tells the response with the status code of the path, and fails as `_NativeProtocol.transferCompleted(withError:)` does.
private final class MissingProtocol: URLProtocol {
    static let isRegistered = registerClass(MissingProtocol.self)

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "missing" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let statusCode = url.lastPathComponent == "lost" ? 200 : Int(url.lastPathComponent)
        let response = statusCode.flatMap { statusCode in
            HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: nil, headerFields: nil)
        }
        if let response {
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("abc".utf8))
        }
        let message = url.lastPathComponent == "lost" ? "lost" : "Transfer completed, but there's no response."
        let error = NSError(
            domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost,
            userInfo: [NSLocalizedDescriptionKey: message])
        client?.urlProtocol(self, didFailWithError: error)
    }

    override func stopLoading() {}
}

#endif
