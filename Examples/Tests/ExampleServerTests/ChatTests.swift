import Foundation
import TestSupport
import Testing

@Suite("Chat on the server", .serialized)
struct ChatTests {
    private static let question = #"{"messages": [{"role": "user", "content": "Why?"}]}"#

    @Test("An answer needs a token of the server, and the first question is answered 503")
    func tokens() async throws {
        try await withExampleServer { root async throws in
            let chat = "POST /chat/completions?interval=0"
            for headers in [[:], ["Authorization": "Bearer x"]] {
                let answer = try await Answer(to: chat, at: root, body: Self.question, headers: headers)
                #expect(answer.status == 401)
                #expect(answer.text == #"{"error":{"message":"The token is missing or has expired."}}"#)
            }
            let token = try await Self.token(of: root)
            let busy = try await Answer(to: chat, at: root, body: Self.question, headers: token)
            #expect(busy.status == 503 && busy.header("Retry-After") == "1")
            let answer = try await Answer(to: chat, at: root, body: Self.question, headers: token)
            #expect(answer.status == 200 && answer.header("Content-Type") == "text/event-stream")
            #expect(answer.text.hasPrefix(#"data: {"choices":[{"delta":{"content":"You"}}]}"#))
            #expect(answer.text.hasSuffix("\n\ndata: [DONE]"))
        }
    }

    @Test(
        "A refresh token that is not valid is answered 400",
        arguments: ["grant_type=refresh_token&refresh_token=x", "grant_type=refresh_token", ""])
    func refreshTokens(form: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "POST /oauth/token", at: root, body: form)
            #expect(answer.status == 400 && answer.text == #"{"error":"invalid_grant"}"#)
        }
    }

    private static func token(of root: URL) async throws -> [String: String] {
        struct Response: Decodable { let access_token: String }
        let form = "grant_type=refresh_token&refresh_token=example"
        let answer = try await Answer(to: "POST /oauth/token", at: root, body: form)
        let token = try JSONDecoder().decode(Response.self, from: answer.data).access_token
        return ["Authorization": "Bearer \(token)"]
    }
}
