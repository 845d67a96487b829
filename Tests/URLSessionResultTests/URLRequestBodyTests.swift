import Foundation
import Testing
import URLSessionResult

/// Requests and what they send.
@Suite(timeLimit)
struct URLRequestBodyTests {
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

    @Test("The encoder's settings are used")
    func encoder() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var request = URLRequest(url: try #require(URL(string: "http://localhost")))
        try request.setJSONBody(Track(trackName: "x"), using: encoder)
        #expect(request.httpBody == Data(#"{"track_name":"x"}"#.utf8))
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
}
