import Foundation

/// A path and a query, still without the server they belong to.
struct Endpoint {
    let path: String
    var queryParams: [URLQueryItem] = []

    func uri(on server: URL) -> URL {
        let url = server.appending(path: path)
        return queryParams.isEmpty ? url : url.appending(queryItems: queryParams)
    }
}

/// Something that an API offers.
protocol APIResource {
    var endpoint: Endpoint { get }
}
