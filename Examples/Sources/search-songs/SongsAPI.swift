import Foundation
import URLSessionResult

struct Song: Codable, Equatable {
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

/// The iTunes Search API, and a service that takes new songs.
struct SongsAPI {
    let server: URL
    var token: String?
    var request = HTTPRequest()

    func searchSongs(by term: String, completionHandler: @escaping @Sendable (Result<[Song], SongsAPIError>) -> Void) {
        request.execute(
            for: SongsResource.songsList(by: term),
            on: server,
            decoder: .json([Song].self, at: "results"),
            completionHandler: { completionHandler($0.mapError(SongsAPIError.executionFailed)) }
        )
    }

    func createSong(_ song: Song, completionHandler: @escaping @Sendable (Result<Song, SongsAPIError>) -> Void) {
        request.execute(
            for: SongsResource.createSong,
            on: server,
            method: .post,
            body: song,
            headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
            decoder: .json(),
            completionHandler: { completionHandler($0.mapError(SongsAPIError.executionFailed)) }
        )
    }
}

enum SongsAPIError: LocalizedError {
    case executionFailed(NetworkError)

    var errorDescription: String? {
        switch self {
        case .executionFailed(let error) where error.statusCode == 401:
            "\(error.localizedDescription) Creating a song takes a token: --token."
        case .executionFailed(let error):
            if let seconds = error.response?.header("Retry-After") {
                "\(error.localizedDescription) Try again in \(seconds) seconds."
            } else {
                error.localizedDescription
            }
        }
    }
}
