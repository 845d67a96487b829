import ArgumentParser
import Terminal

@main
struct TopMovies: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top-movies",
        abstract: "Lists the top-rated movies of TMDB.",
        discussion: "To use TMDB, pass --url https://api.themoviedb.org --token <your token>"
    )

    @Option(help: "Show the movie with this id instead.")
    var id: Int?

    @Option(help: "The bearer token. The embedded server accepts any token.")
    var token = "example"

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await server.connect { root in
            let service = MoviesService(server: root, token: token)
            switch (id, json) {
            case (let id?, true): try printJSON(await service.getMovieDetail(id: id).get())
            case (let id?, false): print(try await MoviesViewModel(service: service).detail(id: id))
            case (nil, true): try printJSON(await service.getTopRated().get().results)
            case (nil, false): print(try await MoviesViewModel(service: service).list())
            }
        }
    }
}

/// The texts that the program prints.
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
