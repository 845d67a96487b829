#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

struct FailingURLTests {
    @Test("An error of the transport has its URL, also as the text that older code asks for")
    func both() throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/a"))
        let error = URLError(.timedOut, at: url)
        #expect(error.code == .timedOut)
        #expect(error.failingURL == url)
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == "http://127.0.0.1:1/a")
        let nowhere = URLError(.badURL, at: nil)
        #expect(nowhere.userInfo.isEmpty)
    }
}

#endif
