import FlyingFox
import Foundation

/// The part of TMDB's API that gives the top-rated movies. Errors have TMDB's format.
struct MoviesHandler {
    private let movies: [JSON]

    init() throws {
        movies = try SampleData.decode("movies.json")
    }

    /// `GET /3/movie/top_rated`
    func topRated(_ request: HTTPRequest) throws -> HTTPResponse {
        guard request.hasBearerToken else { return try .unauthorized }
        guard Int(request.query["page"] ?? "1") == 1 else {
            return try .failure(.badRequest, code: 22, "The only page is page 1.")
        }
        let results = movies.map { movie in
            var movie = movie
            movie["runtime"] = .null
            return movie
        }
        return try .json([
            "page": 1, "results": .array(results), "total_pages": 1, "total_results": .number(Decimal(results.count)),
        ])
    }

    /// `GET /3/movie/<id>`
    func detail(_ request: HTTPRequest) throws -> HTTPResponse {
        guard request.hasBearerToken else { return try .unauthorized }
        guard
            let id = request.routeParameters["id", of: Int.self],
            let movie = movies.first(where: { $0["id"] == .number(Decimal(id)) })
        else { return try .failure(.notFound, code: 34, "There is no movie with this id.") }
        return try .json(movie)
    }
}

extension HTTPResponse {
    fileprivate static var unauthorized: HTTPResponse {
        get throws { try failure(.unauthorized, code: 7, "A bearer token is required.", headers: .challenge) }
    }

    fileprivate static func failure(
        _ status: HTTPStatusCode,
        code: Int,
        _ message: String,
        headers: HTTPHeaders = [:]
    ) throws -> HTTPResponse {
        let body: JSON = [
            "success": false, "status_code": .number(Decimal(code)), "status_message": .string(message),
        ]
        return try .json(body, status, headers: headers)
    }
}
