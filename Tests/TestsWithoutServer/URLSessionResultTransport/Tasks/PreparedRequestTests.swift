#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Which requests are sent again, when their connection was lost.
struct PreparedRequestTests {
    @Test(
        "A request may be sent twice if that is the same as once",
        arguments: [
            ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true), ("TRACE", true),
            ("POST", false), ("PATCH", false),
        ])
    func idempotence(method: String, isIdempotent: Bool) throws {
        let prepared = PreparedRequest(try request(method), .data)
        #expect((prepared.repeated != nil) == isIdempotent)
    }

    @Test("A request is repeated five times at most")
    func repetitions() throws {
        var prepared: PreparedRequest? = PreparedRequest(try request("PUT"), .data)
        for _ in 1...5 { prepared = prepared?.repeated }
        #expect(prepared != nil)
        #expect(prepared?.repeated == nil)
    }

    private func request(_ method: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://here.test/")))
        request.httpMethod = method
        return request
    }
}

#endif
