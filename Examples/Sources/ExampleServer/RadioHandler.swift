import FlyingFox
import Foundation

/// A radio that says what it plays, as server-sent events.
struct RadioHandler {
    private let songs: [JSON]

    init() throws {
        songs = try SampleData.decode("songs.json")
    }

    /// `GET /now-playing?interval=<seconds>`: one song after the other, then the end.
    func nowPlaying(_ request: HTTPRequest) throws -> HTTPResponse {
        let events = try songs.map { song in
            Data("event: song\ndata: ".utf8) + (try song.serialized) + Data("\n\n".utf8)
        }
        return .paced(events, contentType: "text/event-stream", pause: request.interval(default: 0.2))
    }
}
