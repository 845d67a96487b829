import FlyingFox
import Foundation

/// The song search of the iTunes Search API, and a service that creates songs.
struct SongsHandler {
    private let songs: [JSON]
    private let limit = RateLimit(requests: 20, seconds: 60)

    init() throws {
        songs = try SampleData.decode("songs.json")
    }

    /// `GET /search?media=music&entity=song&term=…`
    func search(_ request: HTTPRequest) async throws -> HTTPResponse {
        if let seconds = await limit.secondsToWait() {
            let headers: HTTPHeaders = [HTTPHeader("Retry-After"): String(seconds)]
            throw ErrorResponse(.tooManyRequests, "There were too many searches.", headers: headers)
        }
        guard request.query["media"] == "music", request.query["entity"] == "song" else {
            throw ErrorResponse(.badRequest, "Only songs can be searched. Set media=music and entity=song.")
        }
        guard let term = request.query["term"], !term.isEmpty else {
            throw ErrorResponse(.badRequest, "A search needs a term.")
        }
        let results = songs.filter { $0.matches(term) }
        return try .json(["resultCount": .number(Decimal(results.count)), "results": .array(results)])
    }

    /// `POST /api/song`, with a bearer token.
    func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.hasBearerToken else {
            throw ErrorResponse(.unauthorized, "Creating a song needs a bearer token.", headers: .challenge)
        }
        let song = try await request.json
        guard let name = song["trackName"].text, let artist = song["artistName"].text, !name.isEmpty, !artist.isEmpty
        else { throw ErrorResponse(.unprocessableContent, "A song needs a trackName and an artistName.") }
        return try .json(song, .created)
    }
}

extension JSON {
    fileprivate func matches(_ term: String) -> Bool {
        let text = [self["trackName"], self["artistName"]].compactMap(\.text).joined(separator: " ")
        return term.split(separator: " ").allSatisfy { word in
            text.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
    }
}
