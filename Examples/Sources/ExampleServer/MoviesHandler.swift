import FlyingFox
import Foundation

/// The part of TMDB's API that lists the best movies, with errors in TMDB's shape.
struct MoviesHandler {
    private let movies: [JSON]

    init() throws {
        movies = try SampleData.json("movies").elements
    }

    /// `GET /3/movie/top_rated`
    func topRated(_ request: HTTPRequest) -> HTTPResponse {
        guard request.hasBearerToken else { return .unauthorized }
        guard Int(request.query["page"] ?? "1") == 1 else {
            return .failure(.badRequest, code: 22, "There is one page, and its number is 1.")
        }
        let results = movies.map { movie in
            JSON.object(movie.members.filter { $0.key != "runtime" })
        }
        return .json([
            "page": 1, "results": .array(results), "total_pages": 1, "total_results": .number(String(results.count)),
        ])
    }

    /// `GET /3/movie/<id>`
    func detail(_ request: HTTPRequest) -> HTTPResponse {
        guard request.hasBearerToken else { return .unauthorized }
        guard
            let id = request.routeParameters["id", of: Int.self],
            let movie = movies.first(where: { $0["id"].integer == id })
        else { return .failure(.notFound, code: 34, "There is no movie of this id.") }
        return .json(movie)
    }
}

extension HTTPResponse {
    fileprivate static var unauthorized: HTTPResponse {
        failure(.unauthorized, code: 7, "A bearer token is needed.", headers: .challenge)
    }

    fileprivate static func failure(
        _ status: HTTPStatusCode,
        code: Int,
        _ message: String,
        headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        let body: JSON = [
            "success": false, "status_code": .number(String(code)), "status_message": .string(message),
        ]
        return .json(body, status, headers: headers)
    }
}
