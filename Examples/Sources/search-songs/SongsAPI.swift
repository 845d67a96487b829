import Foundation
import URLSessionResult

struct Song: Codable, Equatable, Sendable {
    let trackName: String
    let artistName: String
    var previewUrl: URL?
}

enum SongsResource: APIResource {
    case songsList(by: String)
    case createSong

    var endpoint: Endpoint {
        switch self {
        case .songsList(let term):
            Endpoint(
                path: "search",
                queryParams: [
                    URLQueryItem(name: "media", value: "music"),
                    URLQueryItem(name: "entity", value: "song"),
                    URLQueryItem(name: "term", value: term),
                ]
            )
        case .createSong:
            Endpoint(path: "api/song")
        }
    }
}

/// The iTunes Search API, and a service that creates songs.
struct SongsAPI {
    private let request: HTTPRequest
    private let headers: [String: String]

    init(server: URL, token: String? = nil, session: URLSession = .shared) {
        request = HTTPRequest(server: server, session: session)
        headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }

    func searchSongs(by term: String) async -> Result<[Song], SongsAPIError> {
        let songs = SongsResource.songsList(by: term)
        return await request.execute(for: songs, headers: headers, decoder: .json([Song].self, at: "results"))
            .mapError(SongsAPIError.executionFailed)
    }

    func createSong(_ song: Song) async -> Result<Song, SongsAPIError> {
        await request.execute(
            for: SongsResource.createSong, method: .post, body: song, headers: headers, decoder: .json(Song.self)
        ).mapError(SongsAPIError.executionFailed)
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
        case 429: error.response?.header("Retry-After").flatMap { Int($0) }.map { "Try again in \($0) seconds." }
        default: nil
        }
    }
}
