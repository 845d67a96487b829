import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A body and the response it came in.
@Suite(.inTurn)
struct NetworkResponseTests {
    private struct APIError: Decodable, Equatable {
        var code: Int
        var message: String
    }

    private let session = URLSession(configuration: .forTests)

    @Test(
        "An API's error body and its headers are there for whoever asks", arguments: ["X-Request-Id", "x-request-id"])
    func errorBody(name: String) async throws {
        let server = try LoopbackServer(
            .status(403, #"{"code": 7, "message": "no"}"#, headers: ["X-REQUEST-ID": "42"]))
        let response = try #require(await session.dataResult(from: server.url()).error?.response)
        #expect(try response.decode(with: .json(APIError.self)).get() == APIError(code: 7, message: "no"))
        #expect(response.header(name) == "42")
        #expect(response.header("x-other") == nil)
    }

    @Test(
        "A header has no white space around its value",
        arguments: [
            ("v", "v"), ("v ", "v"), (" \t v w\t ", "v w"), (" \t", ""), ("", ""), ("\u{A0}v\u{A0}", "\u{A0}v\u{A0}"),
        ])
    func whiteSpace(_ row: (field: String, value: String)) throws {
        let url = try #require(URL(string: "https://example.com/"))
        let urlResponse = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil, headerFields: ["X-Header": row.field])
        let response = NetworkResponse(body: Data(), urlResponse: try #require(urlResponse))
        #expect(response.header("x-header") == row.value)
    }

    @Test("A body that is no error of the API is a decoding error")
    func otherErrorBody() async throws {
        let server = try LoopbackServer(.status(502, "<html>"))
        let response = try #require(await session.dataResult(from: server.url()).error?.response)
        let decoded = response.decode(with: .json(APIError.self))
        guard case .failure(.decodingError) = decoded else {
            Issue.record("\(decoded)")
            return
        }
    }

    @Test("A whole response has the decoded body and the headers", arguments: [true, false])
    func wholeResponse(byURL: Bool) async throws {
        let server = try LoopbackServer(.ok("[1, 2]", headers: ["ETag": #""v1""#]))
        let decoder = ResultDecoder.response(.json([Int].self))
        let result =
            byURL
            ? await session.dataResult(from: server.url(), decoder: decoder)
            : await session.dataResult(for: URLRequest(url: server.url()), decoder: decoder)
        let response = try result.get()
        #expect(response.body == [1, 2])
        #expect(response.statusCode == 200)
        #expect(response.httpResponse === response.urlResponse)
        #expect(response.header("etag") == #""v1""#)
        #expect(response.map(\.count).body == 2)
        #expect(response.map(\.count).header("ETag") == #""v1""#)
    }

    @Test("A whole response fails as a body does")
    func wholeResponseFailures() async throws {
        let server = try LoopbackServer(["/404": .status(404), "/text": .ok("text")])
        let missing = await session.dataResult(from: server.url("/404"), decoder: .response(.json([Int].self)))
        #expect(missing.error?.statusCode == 404)
        let text = await session.dataResult(from: server.url("/text"), decoder: .response(.json([Int].self)))
        guard case .failure(.decodingError) = text else {
            Issue.record("\(text)")
            return
        }
        let accepted = await session.dataResult(from: server.url("/404"), decoder: .response(.data), accepting: [404])
        #expect(try accepted.get().statusCode == 404)
    }

    @Test("A response that is not HTTP has neither status code nor headers")
    func otherResponses() {
        let response = NetworkResponse(
            body: "body",
            urlResponse: URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        #expect(response.statusCode == nil)
        #expect(response.httpResponse == nil)
        #expect(response.header("ETag") == nil)
        #expect(response.description == "NetworkResponse<String>(statusCode: none)")
    }
}
