import Foundation
import URLSessionResultClient

@testable import top_movies

/// A type that reads its responses from files.
protocol Mockable {
    func loadJSON<T: Decodable>(filename: String, type: T.Type) throws -> T
}

extension Mockable {
    func loadJSON<T: Decodable>(filename: String, type: T.Type) throws -> T {
        let file = Bundle.module.bundleURL.appending(path: "Responses/\(filename).json")
        return try JSONDecoder.tmdb.decode(type, from: Data(contentsOf: file))
    }
}

struct MoviesServiceMock: Mockable, MoviesServiceable {
    func getTopRated() async -> Result<TopRated, RequestError> {
        Result { try loadJSON(filename: "top_rated_response", type: TopRated.self) }
            .mapError { RequestError(.decodingError($0, response: nil)) }
    }

    func getMovieDetail(id: Int) async -> Result<Movie, RequestError> {
        Result { try loadJSON(filename: "movie_response", type: Movie.self) }
            .mapError { RequestError(.decodingError($0, response: nil)) }
    }
}

/// A service that always fails.
struct FailingMoviesService: MoviesServiceable {
    let error: RequestError

    func getTopRated() async -> Result<TopRated, RequestError> { .failure(error) }
    func getMovieDetail(id: Int) async -> Result<Movie, RequestError> { .failure(error) }
}
