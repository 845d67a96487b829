import FlyingFox
import Foundation

/// The APIs that the example programs talk to, on loopback, so that they run offline.
package enum ExampleServer {
    /// Where the albums are kept unless the caller says otherwise: in the user's caches folder.
    package static var defaultDataFile: URL {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let folder = caches ?? FileManager.default.temporaryDirectory
        return folder.appending(path: "URLSessionResult-Examples/albums.json")
    }

    /// Runs the server for as long as `body` does.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 lets the system choose one.
    ///   - dataFile: Where the albums are kept.
    ///   - body: What to do meanwhile; it is given the address of the server's root.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or why the server cannot listen.
    package static func run<Value: Sendable>(
        port: UInt16 = 0,
        dataFile: URL = defaultDataFile,
        while body: @escaping @Sendable (URL) async throws -> Value
    ) async throws -> Value {
        let server = try HTTPServer.loopback(port: port)
        try await server.appendRoutes(albums: AlbumStore(file: dataFile))
        return try await server.serve(while: body)
    }
}

extension HTTPServer {
    fileprivate func appendRoutes(albums: AlbumStore) throws {
        appendRoute("*", to: AlbumsHandler(store: albums))
        append("GET /covers/:name") { request in
            .png(.gradient(width: 64, height: 64, seed: request.routeParameters["name", of: String.self] ?? ""))
        }

        let songs = try SongsHandler()
        append("GET /search", songs.search)
        append("POST /api/song", songs.create)

        let movies = try MoviesHandler()
        append("GET /3/movie/top_rated", movies.topRated)
        append("GET /3/movie/:id", movies.detail)

        append("GET /posts/:id", try PostsHandler().post)
        append("POST /post", EchoHandler.echo)
        append("GET /image.png") { _ in .png(.photograph) }
        append("*") { _ in throw Refusal(.notFound, "There is nothing at this address.") }
    }

    /// Adds a route whose handler may throw a refusal.
    private func append(
        _ route: HTTPRoute,
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        appendRoute(route) { request in
            do {
                return try await handler(request)
            } catch let refusal as Refusal {
                return try refusal.response
            }
        }
    }
}
