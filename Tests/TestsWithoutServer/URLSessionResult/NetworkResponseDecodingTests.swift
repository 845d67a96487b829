import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct NetworkResponseDecodingTests {
    private func response(_ statusCode: Int?, _ body: String) throws -> NetworkResponse<Data> {
        let url = URL(fileURLWithPath: "/")
        let http = statusCode.flatMap {
            HTTPURLResponse(url: url, statusCode: $0, httpVersion: nil, headerFields: ["X-Name": "x"])
        }
        let plain = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        return NetworkResponse(body: Data(body.utf8), urlResponse: http ?? plain)
    }

    @Test(
        "A status code is judged before the body is decoded, as if the method had done both",
        arguments: [
            (200, "7", "success(7)"), (404, "7", "failure(serverError(statusCode: 404))"),
            (404, "no", "failure(serverError(statusCode: 404))"), (nil, "7", "success(7)"),
            (201, #""7""#, "failure(decodingError(the body: expected Int, found a string))"),
        ] as [(Int?, String, String)])
    func judged(statusCode: Int?, body: String, expected: String) throws {
        let result = try response(statusCode, body).decode(with: .json(Int.self), accepting: 200..<300)
        #expect("\(result)" == expected)
    }

    @Test("The accepted codes count alone", arguments: [(404, true), (200, false)])
    func accepted(statusCode: Int, isAccepted: Bool) throws {
        let response = try response(statusCode, "7")
        let result = response.decode(with: .json(Int.self), accepting: [404])
        #expect(try result.error == nil ? result.get() == 7 : !isAccepted)
        #expect((result.error == nil) == isAccepted)
    }

    @Test("The error keeps body and headers", arguments: [("7", 500), ("no", 200)])
    func kept(body: String, statusCode: Int) throws {
        let error = try response(statusCode, body).decode(with: .json(Int.self), accepting: 200..<300).error
        #expect(error?.response?.body == Data(body.utf8))
        #expect(error?.response?.header("X-Name") == "x")
    }
}
