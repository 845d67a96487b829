import FlyingFox
import Foundation

/// A large document on a slow line: all songs in one array, which comes song by song.
struct SlowSongsHandler {
    private let songs: [JSON]

    init() throws {
        songs = try SampleData.decode("songs.json")
    }

    /// `GET /slow-songs?interval=<seconds>`: `{"results":[…]}`, with a pause after each song.
    func songs(_ request: HTTPRequest) throws -> HTTPResponse {
        let rows = try songs.enumerated().map { index, song in
            Data((index == 0 ? #"{"results":["# : ",").utf8) + (try song.serialized)
        }
        let pieces = rows + [Data("]}\n".utf8)]
        return .paced(pieces, contentType: "application/json", pause: request.interval(default: 0.2))
    }
}
