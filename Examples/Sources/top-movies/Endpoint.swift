import Foundation
import URLSessionResult

/// The parts of a request.
protocol Endpoint {
    var scheme: String { get }
    var host: String { get }
    var port: Int? { get }
    var path: String { get }
    var method: HTTPMethod { get }
    var header: [String: String] { get }
    var body: (any Encodable)? { get }
}

extension Endpoint {
    var scheme: String { "https" }
    var host: String { "api.themoviedb.org" }
    var port: Int? { nil }
    var method: HTTPMethod { .get }
    var header: [String: String] { [:] }
    var body: (any Encodable)? { nil }

    func makeRequest() throws(RequestError) -> URLRequest {
        var components = URLComponents()
        components.scheme = scheme
        components.host = host
        components.port = port
        components.path = path
        guard let url = components.url else { throw .invalidURL }

        var request = URLRequest(url: url, method: method)
        request.allHTTPHeaderFields = header
        do {
            if let body { try request.setJSONBody(body) }
        } catch {
            throw RequestError(error)
        }
        return request
    }
}

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
