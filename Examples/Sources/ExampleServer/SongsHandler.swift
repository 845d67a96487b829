import FlyingFox
import Foundation

/// The song search of the iTunes Search API, and a service that creates songs.
struct SongsHandler {
    private let songs: [Song]

    init() throws {
        songs = try SampleData.decode("songs.json")
    }

    /// `GET /search?media=music&entity=song&term=<words>`
    func search(_ request: HTTPRequest) throws -> HTTPResponse {
        let words = request.routeParameters["term"]?.split(separator: " ") ?? []
        return try .json(["results": songs.filter { $0.contains(words) }])
    }

    /// `POST /api/song`, with any token.
    func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.headers[.authorization] != nil else { return HTTPResponse(statusCode: .unauthorized) }
        return try .json(await request.json(Song.self), .created)
    }
}

struct Song: Codable {
    let trackName: String
    let artistName: String
    let previewUrl: String?

    fileprivate func contains(_ words: [Substring]) -> Bool {
        words.allSatisfy { "\(trackName) \(artistName)".localizedStandardContains($0) }
    }
}
