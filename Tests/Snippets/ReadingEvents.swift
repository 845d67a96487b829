import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.event-model
@MainActor
final class NowPlaying {
    private(set) var songs: [String] = []

    func follow(_ url: URL, in session: URLSession) async throws {
        let response = try await session.bytesResult(from: url).get()
        for try await event in response.body.events {
            songs.append(event.data)
        }
    }
}
// snippet.end

// snippet.chat-types
nonisolated struct ChatRequest: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }
    let model: String
    let messages: [Message]
    let stream = true
}

nonisolated struct ChatPart: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable { let content: String? }
        let delta: Delta
    }
    let choices: [Choice]
}
// snippet.end

@Suite("Reading server-sent events")
struct ReadingEvents {
    private let log = Log()

    private func session(answering body: String) -> URLSession {
        SessionStub(.text(body)).session
    }

    @Test("Events have a name and data")
    func serverSentEvents() async throws {
        let eventsURL = try #require(URL(string: "https://albums.test/events"))
        let text = "event: a\r\ndata: 1\r\ndata:  2\r\n\r\n: a comment\n\ndata:3\n\nevent: not ended\ndata: 4"
        let session = session(answering: text)
        let log = log
        func print(_ name: String, _ data: String) { log.append("\(name) \(data)") }

        // snippet.events
        let events = try await session.bytesResult(from: eventsURL).get()
        for try await event in events.body.events {
            print(event.name, event.data)
        }
        // snippet.end
        #expect(log.texts == ["a 1\n 2", "message 3"])
    }

    @Test("A model on the main actor takes events with a plain loop")
    func eventModel() async throws {
        let eventsURL = try #require(URL(string: "https://albums.test/now-playing"))
        let session = session(answering: "data: Hejira\n\ndata: Autobahn\n\n")
        let model = NowPlaying()
        try await model.follow(eventsURL, in: session)
        #expect(await model.songs == ["Hejira", "Autobahn"])
    }

    @Test("A chat completion is printed as it comes")
    func chat() async throws {
        let chatURL = try #require(URL(string: "https://albums.test/chat/completions"))
        let session = session(
            answering:
                """
                data: {"choices": [{"delta": {"role": "assistant"}}]}

                data: {"choices": [{"delta": {"content": "Hello"}}]}

                data: {"choices": [{"delta": {"content": ", world"}}]}

                data: [DONE]


                """)
        let log = log
        func print(_ text: String, terminator: String) { log.append(text + terminator) }

        // snippet.chat
        let question = ChatRequest.Message(role: "user", content: "Hello?")
        var request = try URLRequest(
            url: chatURL, method: .post,
            json: ChatRequest(model: "small", messages: [question]))
        request.timeoutInterval = 300

        let chat = try await session.bytesResult(for: request).get()
        for try await event in chat.body.events
        where event.data != "[DONE]" {
            let part = try event.decode(with: .json(ChatPart.self)).get()
            print(part.choices.first?.delta.content ?? "", terminator: "")
        }
        // snippet.end
        #expect(log.texts.joined() == "Hello, world")
        #expect(request.timeoutInterval == 300)
    }
}
