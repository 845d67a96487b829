import FlyingFox

/// The part of TMDB's API that gives the top-rated movies. It needs a token, whichever it is.
struct MoviesHandler {
    private let movies: [Movie]

    init() throws {
        movies = try SampleData.decode("movies.json", keys: .convertFromSnakeCase)
    }

    /// `GET /3/movie/top_rated`
    func topRated(_ request: HTTPRequest) throws -> HTTPResponse {
        guard request.headers[.authorization] != nil else { return HTTPResponse(statusCode: .unauthorized) }
        let page = Page(results: movies.map(\.withoutRuntime), totalResults: movies.count)
        return try .json(page, keys: .convertToSnakeCase)
    }

    /// `GET /3/movie/<id>`
    func detail(_ request: HTTPRequest) throws -> HTTPResponse {
        guard request.headers[.authorization] != nil else { return HTTPResponse(statusCode: .unauthorized) }
        let id = request.routeParameters["id", of: Int.self]
        guard let movie = movies.first(where: { $0.id == id }) else {
            return try .json(["status_message": "There is no movie with this id."], .notFound)
        }
        return try .json(movie, keys: .convertToSnakeCase)
    }
}

private struct Page: Encodable {
    let page = 1
    let results: [Movie]
    let totalPages = 1
    let totalResults: Int
}

private struct Movie: Codable {
    let id: Int
    let title: String
    let overview: String
    let releaseDate: String
    /// In minutes. Lists leave it out.
    var runtime: Int?
    let voteAverage: Double
    let voteCount: Int

    var withoutRuntime: Movie {
        var movie = self
        movie.runtime = nil
        return movie
    }
}
