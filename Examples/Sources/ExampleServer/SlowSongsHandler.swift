import FlyingFox
import Foundation

/// A large document on a slow line: all songs in one array, which comes song by song.
struct SlowSongsHandler {
    private let songs: [JSON]

    init() throws {
        songs = try SampleData.decode(named: "songs")
    }

    /// `GET /slow-songs?interval=<seconds>`: `{"results":[…]}`, with a pause after each song.
    func songs(_ request: HTTPRequest) throws -> HTTPResponse {
        let interval = Double(request.query["interval"] ?? "0.2")
        guard let interval, (0...60).contains(interval) else {
            throw ErrorResponse(.badRequest, "An interval has 0 to 60 seconds.")
        }
        let rows = try songs.enumerated().map { index, song in
            Data((index == 0 ? #"{"results":["# : ",").utf8) + (try song.serialized)
        }
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "application/json"],
            body: HTTPBodySequence(
                from: PacedPieces(pieces: rows + [Data("]}\n".utf8)], interval: .seconds(interval))))
    }
}
