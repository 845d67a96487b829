import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.chat-endpoint
nonisolated struct ChatMessage: Codable {
    let role: String
    let content: String
}

nonisolated struct ChatRequest: Encodable {
    let model: String
    let messages: [ChatMessage]
    var stream = true
}

nonisolated struct ChatChunk: Decodable {
    struct Choice: Decodable { let delta: Delta }
    struct Delta: Decodable { let content: String? }

    let choices: [Choice]

    var text: String { choices.first?.delta.content ?? "" }
}

nonisolated extension Endpoint where Value == ChatChunk {
    static func chat(_ messages: [ChatMessage]) -> Endpoint {
        let body = ChatRequest(model: "small", messages: messages)
        return Endpoint(.post, "chat/completions", body: .json(body))
    }
}
// snippet.end

// snippet.chat-model
@MainActor
final class Chat {
    private(set) var answer = ""
    private(set) var message: String?
    private let client: APIClient

    init(api: URL, token: AccessToken, session: URLSession = .shared) {
        let token = TokenAuthentication(token, for: api)
        client = APIClient(
            baseURL: api, session: session,
            middleware: [Retry(alsoRepeating: [.post]), token])
    }

    func ask(_ question: String) async {
        let messages = [ChatMessage(role: "user", content: question)]
        do {
            for try await chunk in client.values(for: .chat(messages)) {
                answer += chunk.text
            }
        } catch {
            guard !Task.isCancelled else { return }
            message = error.localizedDescription
        }
    }
}
// snippet.end

extension Chat {
    /// Waits for the first words of an answer, until a time limit cancels the task.
    fileprivate func begins() async throws {
        while answer.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

/// Recipe: stream a language model.
struct ChatRecipe {
    private func url() throws -> URL { try #require(URL(string: "https://api.test/v1")) }

    private static func chunk(_ text: String) -> String {
        "data: {\"choices\": [{\"delta\": {\"content\": \"\(text)\"}}]}\n\n"
    }

    @MainActor
    @Test("An answer grows while it arrives, and ends at [DONE]")
    func answer() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            .stream(headers: ["Content-Type": "text/event-stream"]) { body in
                body.write(Self.chunk("Be"))
                try await gate.opened()
                body.write(Self.chunk("cause.") + "data: [DONE]\n\n")
            }
        }
        let chat = Chat(api: try url(), token: "secret", session: stub.session)
        let asking = Task { await chat.ask("Why?") }
        try await chat.begins()
        #expect(chat.answer == "Be")
        gate.open()
        await asking.value
        #expect(chat.answer == "Because.")
        #expect(chat.message == nil)
        let request = try #require(stub.requests.first)
        #expect(request.url?.path == "/v1/chat/completions")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
        let body = String(decoding: try #require(request.httpBody), as: UTF8.self)
        #expect(body.contains(#""stream":true"#))
    }

    @MainActor
    @Test("A busy server is asked again, and a stream that breaks off is not")
    func broken() async throws {
        let stub = SessionStub(
            .response(statusCode: 503, headers: ["Retry-After": "0"]),
            .stream(headers: ["Content-Type": "text/event-stream"]) { body in
                body.write(Self.chunk("Be"))
                throw URLError(.networkConnectionLost)
            })
        let chat = Chat(api: try url(), token: "secret", session: stub.session)
        await chat.ask("Why?")
        #expect(chat.answer == "Be")
        #expect(chat.message != nil)
        #expect(stub.requests.count == 2)
    }

    @MainActor
    @Test("A cancelled answer shows no message")
    func cancelled() async throws {
        let stub = SessionStub(.never)
        let chat = Chat(api: try url(), token: "secret", session: stub.session)
        let asking = Task { await chat.ask("Why?") }
        try await stub.requests(atLeast: 1)
        asking.cancel()
        await asking.value
        #expect(chat.message == nil)
    }
}
