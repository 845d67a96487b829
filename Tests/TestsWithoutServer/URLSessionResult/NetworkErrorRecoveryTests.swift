import Foundation
import Testing
import URLSessionResult

/// What an error offers for another attempt.
struct NetworkErrorRecoveryTests {
    @Test("The body of an error response is decoded, or nil if it is something else")
    func body() throws {
        let error = NetworkError.serverError(statusCode: 503, response: try unavailable([:], #"{"message": "No."}"#))
        #expect(error.body(with: .json(String.self, at: "message")) == "No.")
        #expect(error.body(with: .json(Int.self)) == nil)
        #expect(NetworkError.noData.body(with: .data) == nil)
    }

    @Test("Resume data is that of a download or an upload", arguments: ["Download", "Upload"])
    func resumeData(_ kind: String) {
        let info: [String: Any] = ["NSURLSession\(kind)TaskResumeData": Data("rest".utf8)]
        #expect(
            NetworkError.transportError(URLError(.networkConnectionLost, userInfo: info)).resumeData
                == Data("rest".utf8))
        let bridged = NSError(domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost, userInfo: info)
        #expect(NetworkError.transportError(bridged).resumeData == Data("rest".utf8))
        #expect(NetworkError.transportError(URLError(.timedOut)).resumeData == nil)
        #expect(NetworkError.noData.resumeData == nil)
    }
}
