import Terminal

/// What a person sees of the movies.
struct MoviesViewModel {
    let service: any MoviesServiceable

    func list() async throws(RequestError) -> Table {
        let movies = try await service.getTopRated().get().results
        return Table(
            columns: "Id", "Title", "Year", "Rating", "Votes",
            rows: movies.map { movie in
                [String(movie.id), movie.title, movie.year, String(movie.voteAverage), String(movie.voteCount)]
            }
        )
    }

    func detail(id: Int) async throws(RequestError) -> String {
        let movie = try await service.getMovieDetail(id: id).get()
        let runtime = movie.runtime.map { ", \($0) minutes" } ?? ""
        return """
            \(movie.title) (\(movie.year)\(runtime))
            \(movie.voteAverage) out of 10 by \(movie.voteCount) votes
            \(movie.overview)
            """
    }
}

extension Movie {
    fileprivate var year: String { String(releaseDate.prefix(4)) }
}
