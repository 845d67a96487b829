import Foundation
import URLSessionResultClient

/// The dependency of the view model: `MoviesService` in the app, a mock in its tests.
protocol MoviesServiceable: Sendable {
    func getTopRated() async -> Result<TopRated, RequestError>
    func getMovieDetail(id: Int) async -> Result<Movie, RequestError>
}

/// TMDB's API, version 3.
struct MoviesService: MoviesServiceable {
    private let client: APIClient

    init(server: URL, token: String, session: URLSession = .shared) {
        let authentication = TokenAuthentication(token.isEmpty ? nil : AccessToken(token), for: server)
        client = APIClient(baseURL: server, session: session, decoder: .tmdb, middleware: [authentication])
    }

    func getTopRated() async -> Result<TopRated, RequestError> {
        await client.result(for: Endpoint(.get, "3/movie/top_rated")).mapError(RequestError.init)
    }

    func getMovieDetail(id: Int) async -> Result<Movie, RequestError> {
        await client.result(for: Endpoint(.get, "3/movie/\(id)")).mapError(RequestError.init)
    }
}

extension JSONDecoder {
    static var tmdb: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

struct TopRated: Codable, Equatable {
    let page: Int
    let results: [Movie]
    let totalPages: Int
    let totalResults: Int
}

struct Movie: Codable, Equatable {
    let id: Int
    let title: String
    let overview: String
    let releaseDate: String
    /// In minutes. Lists leave it out.
    let runtime: Int?
    let voteAverage: Double
    let voteCount: Int
}
