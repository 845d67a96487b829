import Foundation

/// A path and a query on any server.
struct Endpoint {
    let path: String
    var queryParams: [URLQueryItem] = []

    func uri(on server: URL) -> URL {
        let url = server.appending(path: path)
        return queryParams.isEmpty ? url : url.appending(queryItems: queryParams)
    }
}

/// A resource of an API.
protocol APIResource {
    var endpoint: Endpoint { get }
}
