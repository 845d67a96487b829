import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Requests and what they send.
@Suite(.inTurn)
struct URLRequestJSONBodyTests {
    @Test("A JSON body is sent with its content type")
    func jsonBody() async throws {
        let server = try LoopbackServer(.echo)
        var request = URLRequest(url: server.url(), method: .put)
        try request.setJSONBody(["a": [1, 2]])
        #expect(
            try await URLSession(configuration: .forTests).dataResult(for: request, decoder: .string()).get()
                == #"{"a":[1,2]}"#)
        #expect(server.requests.first?.header("Content-Type") == "application/json")
    }

    @Test("A request is made with its JSON body in one step")
    func requestWithBody() async throws {
        let server = try LoopbackServer(.echo)
        let request = try URLRequest(url: server.url(), method: .patch, json: ["a": [1, 2]])
        let echo = await URLSession(configuration: .forTests).dataResult(for: request, decoder: .string())
        #expect(try echo.get() == #"{"a":[1,2]}"#)
        #expect(server.requests.map(\.method) == ["PATCH"])
        #expect(server.requests.first?.header("Content-Type") == "application/json")
    }

    @Test("The encoder's settings are used")
    func encoder() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let url = try #require(URL(string: "http://localhost"))
        var request = URLRequest(url: url)
        try request.setJSONBody(Track(trackName: "x"), using: encoder)
        #expect(request.httpBody == Data(#"{"track_name":"x"}"#.utf8))
        let made = try URLRequest(url: url, method: .put, json: Track(trackName: "x"), using: encoder)
        #expect(made.httpBody == request.httpBody)
    }

    private struct Track: Encodable {
        var trackName: String
    }

    @Test("A body that cannot be encoded is an encoding error, and the request stays as it was")
    func encodingError() throws {
        var request = URLRequest(url: try #require(URL(string: "http://localhost")))
        let before = request
        do throws(NetworkError) {
            try request.setJSONBody([Double.nan])
            Issue.record("NaN is no JSON")
        } catch {
            guard case .encodingError(_ as EncodingError) = error else {
                Issue.record(error)
                return
            }
        }
        #expect(request == before)
        #expect(request.httpBody == nil)
    }

    @Test("A request is not made with a body that cannot be encoded")
    func encodingErrorOfNewRequest() throws {
        let url = try #require(URL(string: "http://localhost"))
        do throws(NetworkError) {
            _ = try URLRequest(url: url, method: .post, json: [Double.nan])
            Issue.record("NaN is no JSON")
        } catch {
            guard case .encodingError(_ as EncodingError) = error else {
                Issue.record(error)
                return
            }
        }
    }
}
