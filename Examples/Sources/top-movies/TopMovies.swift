import ArgumentParser
import Terminal

@main
struct TopMovies: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top-movies",
        abstract: "Lists the best movies with TMDB's API.",
        discussion: "The real one: --url https://api.themoviedb.org --token <your token>"
    )

    @Option(help: "Show this movie instead.")
    var id: Int?

    @Option(help: "The bearer token; the embedded server takes any.")
    var token = "example"

    @Flag(help: "Print JSON.")
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
