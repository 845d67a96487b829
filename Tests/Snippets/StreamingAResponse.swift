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

    private func session(answering body: String, statusCode: Int = 200) -> URLSession {
        SessionStub(.text(body, statusCode: statusCode)).session
    }

    @Test("An error response is judged before the first byte counts")
    func errorResponse() async throws {
        let url = try #require(URL(string: "https://albums.test/chat/error"))
        let session = session(answering: #"{"error": {"message": "No credit."}}"#, statusCode: 402)
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
            answering:
                """
                {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}

                {"artist": "Kraftwerk", "name": "Autobahn", "year": 1974}
                """)
        let log = log
        func print(_ text: String) { log.append(text) }

        // snippet.ndjson
        let albums = try await session.bytesResult(from: albumsURL).get()
        for try await album in albums.body.values(.json(Album.self)) {
            print(album.name)
        }
        // snippet.end
        #expect(log.texts == ["Hejira", "Autobahn"])
    }

    @Test("Lines that are no albums can be left out")
    func skipping() async throws {
        let albumsURL = try #require(URL(string: "https://albums.test/albums.ndjson/some"))
        let session = session(
            answering:
                """
                {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}
                {"artist": "Arthur Verocai"}
                {"artist": "Kraftwerk", "name": "Autobahn", "year": 1974}
                """)
        let albums = try await session.bytesResult(from: albumsURL).get()
        let log = log
        func print(_ text: String) { log.append(text) }

        // snippet.ndjson-skip
        func printAlbums(of body: ResponseBytes) async throws {
            var albums = body.values(.json(Album.self))
                .makeAsyncIterator()
            while true {
                do {
                    guard let album = try await albums.next() else { return }
                    print(album.name)
                } catch {
                    guard case .decodingError = error else { throw error }
                    print(error.localizedDescription)
                }
            }
        }
        // snippet.end
        try await printAlbums(of: albums.body)
        #expect(
            log.texts == [
                "Hejira",
                "The server's answer could not be read: line 2: name: expected a value, found none.",
                "Autobahn",
            ])
    }

    @Test("A body is collected up to a limit")
    func collect() async throws {
        let url = try #require(URL(string: "https://albums.test/page"))
        let session = session(answering: "a page")

        // snippet.collect
        let response = try await session.bytesResult(from: url).get()
        let page = try await response.body.collect(upTo: 1_000_000)
        // snippet.end
        #expect(page == Data("a page".utf8))
    }

    @Test("A model on the main actor takes events with a plain loop")
    func eventModel() async throws {
        let eventsURL = try #require(URL(string: "https://albums.test/now-playing"))
        let session = session(answering: "data: Hejira\n\ndata: Autobahn\n\n")
        let model = NowPlaying()
        try await model.follow(eventsURL, in: session)
        #expect(await model.songs == ["Hejira", "Autobahn"])
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
            let part = try JSONDecoder().decode(
                ChatPart.self, from: Data(event.data.utf8))
            print(part.choices.first?.delta.content ?? "", terminator: "")
        }
        // snippet.end
        #expect(log.texts.joined() == "Hello, world")
        #expect(request.timeoutInterval == 300)
    }
}
