import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

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

/// Reading server-sent events.
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
}
