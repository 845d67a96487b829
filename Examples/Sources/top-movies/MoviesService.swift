import Foundation

/// What a view model is given: the network in the app, a mock in its tests.
protocol MoviesServiceable: Sendable {
    func getTopRated() async -> Result<TopRated, RequestError>
    func getMovieDetail(id: Int) async -> Result<Movie, RequestError>
}

struct MoviesService: HTTPClient, MoviesServiceable {
    let server: URL
    let token: String

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
