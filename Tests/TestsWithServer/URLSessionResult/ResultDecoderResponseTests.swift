import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Decoders that see the response.
@Suite(.inTurn)
struct ResultDecoderResponseTests {
    private struct Refusal: Error {}

    @Test("Every counterpart gives the value, the status code and the headers", arguments: DecoderForm.all)
    func response(_ form: DecoderForm) async throws {
        let server = try LoopbackServer(.status(201, "[1, 2]", headers: ["ETag": #""v1""#]))
        let response = try await form(server.url()).get()
        #expect(response.body == [1, 2])
        #expect(response.statusCode == 201)
        #expect(response.header("etag") == #""v1""#)
    }

    @Test("Every counterpart keeps the response that could not be decoded", arguments: DecoderForm.all)
    func decodingError(_ form: DecoderForm) async throws {
        let server = try LoopbackServer(.status(201, "<html>", headers: ["ETag": #""v1""#]))
        let error = try #require(await form(server.url()).error)
        guard case .decodingError(let cause, let response) = error else {
            Issue.record(error)
            return
        }
        #expect(cause is DecodingError)
        #expect(response?.body == Data("<html>".utf8))
        #expect(error.response?.body == Data("<html>".utf8))
        #expect(error.response?.statusCode == 201)
        #expect(error.response?.header("ETag") == #""v1""#)
        #expect(error.statusCode == nil)
        #expect(!"\(error)".contains("html"))
    }

    @Test("A function of the response gives a value of its headers")
    func functionOfResponse() async throws {
        let server = try LoopbackServer(.ok("body", headers: ["X-Count": "7"]))
        let count = ResultDecoder.response { response in
            response.header("X-Count").flatMap { Int($0) }
        }
        let session = URLSession(configuration: .forTests)
        #expect(try await session.dataResult(from: server.url(), decoder: count).get() == 7)
        let doubled = count.map { ($0 ?? 0) * 2 }
        #expect(try await session.dataResult(from: server.url(), decoder: doubled).get() == 14)
        let refusing = ResultDecoder<Int>.response { _ in throw Refusal() }
        let error = await session.dataResult(from: server.url(), decoder: refusing).error
        #expect(error?.underlyingError is Refusal)
        #expect(error?.response?.body == Data("body".utf8))
    }

    @Test("A decoder that needs the response fails without one, and invents none")
    func missingResponse() {
        let whole = ResultDecoder.response(.data)
        let header = ResultDecoder.response { $0.header("ETag") }
        let errors = [
            whole.decode(.success(Data("body".utf8))).error, header.decode(.success(Data("body".utf8))).error,
        ]
        for error in errors {
            guard case .decodingError(_, response: nil) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description == "decodingError(the body: expected a response with it, found none)")
        }
    }

    @Test("A response decodes its body with itself")
    func decodeOfResponse() throws {
        let urlResponse = try #require(
            HTTPURLResponse(
                url: URL(fileURLWithPath: "/"), statusCode: 422, httpVersion: nil, headerFields: ["ETag": "v1"]))
        let response = NetworkResponse(body: Data("[]".utf8), urlResponse: urlResponse)
        let decoded = try response.decode(with: .response(.json([Int].self))).get()
        #expect(decoded.body == [])
        #expect(decoded.header("ETag") == "v1")
        #expect(response.decode(with: .json(Int.self)).error?.response?.statusCode == 422)
    }
}
