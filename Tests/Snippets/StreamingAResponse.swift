import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet.server-sent-events
struct ServerSentEvent: Equatable {
    var name = "message"
    var data: [String] = []
}

func readEvents(
    of body: ResponseBytes,
    _ handle: @Sendable (ServerSentEvent) throws -> Void
) async throws {
    var event = ServerSentEvent()
    for try await line in body.lines {
        let name = line.prefix { $0 != ":" }
        let rest = line.dropFirst(name.count + 1)
        let value = rest.first == " " ? rest.dropFirst() : rest
        switch name {
        case "event": event.name = String(value)
        case "data": event.data.append(String(value))
        case "" where line.isEmpty:
            if !event.data.isEmpty { try handle(event) }
            event = ServerSentEvent()
        default: break  // a comment, or another field
        }
    }
}
// snippet.end

// snippet.chat-types
struct ChatRequest: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }
    let model: String
    let messages: [Message]
    let stream = true
}

struct ChatPart: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable { let content: String? }
        let delta: Delta
    }
    let choices: [Choice]
}
// snippet.end

@Suite("Streaming a response")
struct StreamingAResponse {
    private let log = Log()

    private func session(answering url: URL, _ body: String, statusCode: Int = 200) -> URLSession {
        StubProtocol.session(answering: url, with: .response(statusCode: statusCode, body: body))
    }

    @Test("An error response is judged before the first byte counts")
    func errorResponse() async throws {
        let url = try #require(URL(string: "https://albums.test/chat/error"))
        let session = session(answering: url, #"{"error": {"message": "No credit."}}"#, statusCode: 402)
        let log = log
        func print(_ text: String) { log.append(text) }

        // snippet.stream-errors
        switch await session.bytesResult(from: url) {
        case .success(let response):
            for try await chunk in response.body.chunks {
                print("\(chunk.count) bytes")
            }
        case .failure(.serverError(let statusCode, let response)):
            let reason = String(decoding: response.body, as: UTF8.self)
            print("status \(statusCode): \(reason)")
        case .failure(let error):
            print(error.localizedDescription)
        }
        // snippet.end
        #expect(log.texts == [#"status 402: {"error": {"message": "No credit."}}"#])
    }

    @Test("Lines of JSON are decoded one by one")
    func ndjson() async throws {
        let albumsURL = try #require(URL(string: "https://albums.test/albums.ndjson"))
        let session = session(
            answering: albumsURL,
            """
            {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}
            {"artist": "Arthur Verocai"}

            {"artist": "Kraftwerk", "name": "Autobahn", "year": 1974}
            """)
        let log = log
        func print(_ text: String) { log.append(text) }

        // snippet.ndjson
        let decoder = ResultDecoder.json(Album.self)
        let albums = try await session.bytesResult(from: albumsURL).get()
        for try await line in albums.body.lines where !line.isEmpty {
            switch decoder.decode(.success(Data(line.utf8))) {
            case .success(let album): print(album.name)
            case .failure(let error): print(error.localizedDescription)
            }
        }
        // snippet.end
        #expect(log.texts.count == 3)
        #expect(log.texts.first == "Hejira" && log.texts.last == "Autobahn")
    }

    @Test("An empty line ends an event")
    func serverSentEvents() async throws {
        let eventsURL = try #require(URL(string: "https://albums.test/events"))
        let text = "event: a\r\ndata: 1\r\ndata:  2\r\n\r\n: a comment\n\ndata:3\n\nevent: not ended\ndata: 4"
        let session = session(answering: eventsURL, text)
        let log = log
        @Sendable func print(_ name: String, _ data: [String]) { log.append("\(name) \(data)") }

        // snippet.events
        let events = try await session.bytesResult(from: eventsURL).get()
        try await readEvents(of: events.body) { event in
            print(event.name, event.data)
        }
        // snippet.end
        #expect(log.texts == [#"a ["1", " 2"]"#, #"message ["3"]"#])
    }

    @Test("A chat completion is printed as it comes")
    func chat() async throws {
        let chatURL = try #require(URL(string: "https://albums.test/chat/completions"))
        let session = session(
            answering: chatURL,
            """
            data: {"choices": [{"delta": {"role": "assistant"}}]}

            data: {"choices": [{"delta": {"content": "Hello"}}]}

            data: {"choices": [{"delta": {"content": ", world"}}]}

            data: [DONE]


            """)
        let log = log
        @Sendable func print(_ text: String, terminator: String) { log.append(text + terminator) }

        // snippet.chat
        var request = URLRequest(url: chatURL, method: .post)
        let question = ChatRequest.Message(role: "user", content: "Hello?")
        try request.setJSONBody(
            ChatRequest(model: "small", messages: [question]))
        request.timeoutInterval = 300

        let chat = try await session.bytesResult(for: request).get()
        try await readEvents(of: chat.body) { event in
            let text = event.data.joined(separator: "\n")
            guard text != "[DONE]" else { return }
            let part = try JSONDecoder().decode(
                ChatPart.self, from: Data(text.utf8))
            print(part.choices.first?.delta.content ?? "", terminator: "")
        }
        // snippet.end
        #expect(log.texts.joined() == "Hello, world")
        #expect(request.timeoutInterval == 300)
    }
}
