import FlyingFox
import Foundation

/// A radio that says what it plays, as server-sent events.
struct RadioHandler {
    private let songs: [JSON]

    init() throws {
        songs = try SampleData.decode(named: "songs")
    }

    /// `GET /now-playing?interval=<seconds>`: one song after the other, then the end.
    func nowPlaying(_ request: HTTPRequest) throws -> HTTPResponse {
        let interval = Double(request.query["interval"] ?? "0.2")
        guard let interval, (0...60).contains(interval) else {
            throw ErrorResponse(.badRequest, "An interval has 0 to 60 seconds.")
        }
        let events = try songs.map { song in
            Data("event: song\ndata: ".utf8) + (try song.serialized) + Data("\n\n".utf8)
        }
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/event-stream"],
            body: HTTPBodySequence(from: PacedPieces(pieces: events, interval: .seconds(interval))))
    }
}
