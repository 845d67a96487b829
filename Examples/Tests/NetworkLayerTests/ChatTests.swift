import Foundation
import Synchronization
import TestSupport
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import stream_chat

@Suite("Chat", .serialized)
struct ChatTests {
    private let server = URL(filePath: "/")
    private static let answer = SessionStub.Answer.response(
        headers: ["Content-Type": "text/event-stream"],
        body: Data(
            """
            data: {"choices": [{"delta": {"role": "assistant"}}]}

            data: {"choices": [{"delta": {"content": "Hel"}}]}

            data: {"choices": []}

            data: {"choices": [{"delta": {"content": "lo"}}]}

            data: [DONE]

            data: {"choices": [{"delta": {"content": "too late"}}]}


            """.utf8))

    @Test("An answer is the text of its parts, up to [DONE]")
    func answer() async throws {
        let stub = SessionStub(Self.answer)
        let chat = ChatAPI(server: server, token: "t", session: stub.session)
        #expect(try await chat.text() == "Hello")
        let request = try #require(stub.requests.first)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        let body = String(decoding: try #require(request.httpBody), as: UTF8.self)
        #expect(body.contains(#""stream":true"#) && body.contains(#""model":"small""#))
    }

    @Test("A token that has expired is replaced, and the question is asked again with the new one")
    func refresh() async throws {
        let stub = SessionStub { request in
            if request.url?.lastPathComponent == "token" {
                return .json(#"{"access_token": "new", "expires_in": 60}"#)
            }
            let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return isNew ? Self.answer : .response(statusCode: 401)
        }
        let chat = ChatAPI(server: server, token: "old", refreshToken: "r", session: stub.session)
        #expect(try await chat.text() == "Hello")
        #expect(stub.requests.map(\.url?.lastPathComponent) == ["completions", "token", "completions"])
        let form = stub.requests[1].httpBody.map { String(decoding: $0, as: UTF8.self) }
        #expect(form == "grant_type=refresh_token&refresh_token=r")
    }

    @Test("A busy server is asked again, and without a refresh token a 401 is the error")
    func retry() async throws {
        let answers = Mutex([SessionStub.Answer.response(statusCode: 503, headers: ["Retry-After": "0"]), Self.answer])
        let stub = SessionStub { _ in answers.withLock { $0.removeFirst() } }
        #expect(try await ChatAPI(server: server, token: "t", session: stub.session).text() == "Hello")
        #expect(stub.requests.count == 2)

        let refusal = SessionStub(.response(statusCode: 401))
        let chat = ChatAPI(server: server, token: "t", session: refusal.session)
        let error = await #expect(throws: NetworkError.self) { try await chat.text() }
        #expect(error?.statusCode == 401 && refusal.requests.count == 1)
    }
}

extension ChatAPI {
    fileprivate func text() async throws -> String {
        var text = ""
        for try await part in answer(to: "?", by: "small") { text += part }
        return text
    }
}
