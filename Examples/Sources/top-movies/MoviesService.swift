import Foundation
import URLSessionResult

/// The dependency of the view model: `MoviesService` in the app, a mock in its tests.
protocol MoviesServiceable: Sendable {
    func getTopRated() async -> Result<TopRated, RequestError>
    func getMovieDetail(id: Int) async -> Result<Movie, RequestError>
}

struct MoviesService: HTTPClient, MoviesServiceable {
    let server: URL
    let token: String
    var session: URLSession = .shared

    func getTopRated() async -> Result<TopRated, RequestError> {
        await sendRequest(endpoint: endpoint(.topRated), responseModel: TopRated.self)
    }

    func getMovieDetail(id: Int) async -> Result<Movie, RequestError> {
        await sendRequest(endpoint: endpoint(.movieDetail(id: id)), responseModel: Movie.self)
    }

    private func endpoint(_ resource: MoviesEndpoint.Resource) -> MoviesEndpoint {
        MoviesEndpoint(resource: resource, server: server, token: token)
    }
}

struct TopRated: Codable, Equatable {
    let page: Int
    let results: [Movie]
    let totalPages: Int
    let totalResults: Int

    enum CodingKeys: String, CodingKey {
        case page, results
        case totalPages = "total_pages"
        case totalResults = "total_results"
    }
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

    enum CodingKeys: String, CodingKey {
        case id, title, overview, runtime
        case releaseDate = "release_date"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
    }
}
