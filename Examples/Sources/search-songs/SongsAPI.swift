import Foundation
import URLSessionResultClient

struct Song: Codable, Equatable, Sendable {
    let trackName: String
    let artistName: String
    var previewUrl: URL?
}

extension Endpoint where Value == [Song] {
    static func songs(by term: String) -> Endpoint {
        Endpoint(.get, "search", query: ["media": "music", "entity": "song", "term": term], at: "results")
    }
}

extension Endpoint where Value == Song {
    static func create(_ song: Song) -> Endpoint { Endpoint(.post, "api/song", body: .json(song)) }
}

/// The iTunes Search API, and a service that creates songs.
struct SongsAPI {
    private let client: APIClient

    init(server: URL, token: String? = nil, session: URLSession = .shared) {
        let authentication = TokenAuthentication(token.map { AccessToken($0) }, for: server)
        client = APIClient(baseURL: server, session: session, middleware: [LatestRequest(), authentication])
    }

    func searchSongs(by term: String) async -> Result<[Song], SongsAPIError> {
        await client.result(for: .songs(by: term)).mapError(SongsAPIError.executionFailed)
    }

    func createSong(_ song: Song) async -> Result<Song, SongsAPIError> {
        await client.result(for: .create(song)).mapError(SongsAPIError.executionFailed)
    }
}

enum SongsAPIError: LocalizedError {
    case executionFailed(NetworkError)

    var errorDescription: String? {
        switch self {
        case .executionFailed(let error):
            [error.localizedDescription, advice(on: error)].compactMap(\.self).joined(separator: " ")
        }
    }

    private func advice(on error: NetworkError) -> String? {
        switch error.statusCode {
        case 401: "Pass a token with --token."
        case 429: error.retryAfter.map { "Try again in \(Int($0.rounded(.up))) seconds." }
        default: nil
        }
    }
}
