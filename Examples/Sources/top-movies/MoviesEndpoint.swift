import Foundation

/// TMDB's API, version 3.
struct MoviesEndpoint: Endpoint {
    enum Resource {
        case topRated
        case movieDetail(id: Int)
    }

    let resource: Resource
    let server: URL
    let token: String

    var scheme: String { server.scheme ?? "https" }
    var host: String { server.host() ?? "" }
    var port: Int? { server.port }
    var header: [String: String] { token.isEmpty ? [:] : ["Authorization": "Bearer \(token)"] }

    var path: String {
        switch resource {
        case .topRated: "/3/movie/top_rated"
        case .movieDetail(let id): "/3/movie/\(id)"
        }
    }
}
