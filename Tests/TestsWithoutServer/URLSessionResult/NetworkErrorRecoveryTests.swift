import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

@Suite("What an error offers for another attempt")
struct NetworkErrorRecoveryTests {
    private func response(_ headers: [String: String], _ body: String = "") throws -> NetworkResponse<Data> {
        let url = try #require(URL(string: "https://api.test/a/1"))
        let head = HTTPURLResponse(url: url, statusCode: 503, httpVersion: "HTTP/1.1", headerFields: headers)
        return NetworkResponse(body: Data(body.utf8), urlResponse: try #require(head))
    }

    @Test(
        "Retry-After is a number, or a date in one of three formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("007", 7), ("soon", nil),
            ("-1", nil), ("1.5", nil), ("", nil), ("٣", nil),
        ] as [(String, TimeInterval?)])
    func retryAfter(_ value: String, seconds: TimeInterval?) throws {
        let error = NetworkError.serverError(statusCode: 503, response: try response(["Retry-After": value]))
        #expect(error.retryAfter(Date(timeIntervalSince1970: 784_111_777)) == seconds)
        #expect(NetworkError.noData.retryAfter() == nil)
    }

    @Test("The body of an error response is decoded, or nil if it is something else")
    func body() throws {
        let error = NetworkError.serverError(statusCode: 503, response: try response([:], #"{"message": "No."}"#))
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

    @Test("A link is resolved against the response")
    func link() throws {
        let response = try response(["Link": #"</0>; rel="prev", <2?a,b>; title="x, y"; rel="next last""#])
        #expect(response.link("NEXT")?.absoluteString == "https://api.test/a/2?a,b")
        #expect(response.link("prev")?.absoluteString == "https://api.test/0")
        #expect(response.link("first") == nil)
        // RFC 8288, section 3.2: a link of another resource.
        let link = #"</1>; rel=next; anchor="/b", </2>; ANCHOR=/c; rel=next, </3>; rel=next"#
        let others = try self.response(["Link": link])
        #expect(others.link("next")?.absoluteString == "https://api.test/3")
    }

    @Test("A file of a delegate's download is a result, and the beginning of an error response is kept")
    func file() throws {
        let folder = TemporaryFolder()
        let file = folder.file("a", Data("body".utf8))
        let refused = Result(file: file, response: try response([:]).urlResponse, error: nil)
        guard case .failure(.serverError(503, let kept)) = refused else { return #expect(Bool(false)) }
        #expect(kept.body == Data("body".utf8))
        let accepted = Result(file: file, response: try response([:]).urlResponse, error: nil, accepting: [503])
        #expect(try accepted.get() == file)
        guard case .failure(.noData) = Result(file: nil, response: nil, error: nil) else { return #expect(Bool(false)) }
        let lost = Result(file: nil, response: nil, error: URLError(.networkConnectionLost))
        guard case .failure(let error) = lost else { return #expect(Bool(false)) }
        #expect(error.urlError?.code == .networkConnectionLost)
    }
}
