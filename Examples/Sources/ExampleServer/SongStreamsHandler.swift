import FlyingFox
import Foundation

/// All songs, one after the other: as a radio says what it plays, and as a large document on a slow line.
struct SongStreamsHandler {
    private let songs: [Data]

    init() throws {
        let songs: [Song] = try SampleData.decode("songs.json")
        self.songs = try songs.map(JSONEncoder.sortingKeys.encode)
    }

    /// `GET /now-playing?interval=<seconds>`: a server-sent event for each song.
    func nowPlaying(_ request: HTTPRequest) -> HTTPResponse {
        let events = songs.map { Data("event: song\ndata: ".utf8) + $0 + Data("\n\n".utf8) }
        return .paced(events, contentType: "text/event-stream", pause: request.interval(default: 0.2))
    }

    /// `GET /slow-songs?interval=<seconds>`: `{"results":[…]}`
    func slowSongs(_ request: HTTPRequest) -> HTTPResponse {
        let rows = songs.enumerated().map { index, song in
            Data((index == 0 ? #"{"results":["# : ",").utf8) + song
        }
        let pieces = rows + [Data("]}\n".utf8)]
        return .paced(pieces, contentType: "application/json", pause: request.interval(default: 0.2))
    }
}
