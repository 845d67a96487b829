import FlyingFox
import Foundation

/// The APIs that the example programs use, on loopback, so that the programs run offline.
package enum ExampleServer {
    /// The default file for the albums. It is in the build folder, so that it is deleted together with the checkout.
    package static var defaultDataFile: URL { Bundle.main.bundleURL.appending(path: "albums.json") }

    /// Runs the server while `body` runs.
    ///
    /// - Parameters:
    ///   - port: The port to listen on. With 0, the system chooses a port.
    ///   - dataFile: The file that holds the albums. Files that are uploaded go to a folder beside it.
    ///   - body: A function of the URL of the server's root.
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws, or an error that says why the server cannot listen.
    package static func run<Value: Sendable>(
        port: UInt16 = 0,
        dataFile: URL = defaultDataFile,
        while body: @escaping @Sendable (URL) async throws -> Value
    ) async throws -> Value {
        let server = try HTTPServer.loopback(port: port)
        try await server.appendRoutes(dataFile: dataFile)
        return try await server.serve(while: body)
    }
}

extension HTTPServer {
    fileprivate func appendRoutes(dataFile: URL) throws {
        let albums = AlbumsHandler(file: dataFile)
        append("GET /albums.json", albums.getAll)
        append("GET /albums/.json", albums.getAll)
        append("GET /albums/*", albums.get)
        append("PUT /albums/*", albums.put)
        appendRoute(
            "GET /covers/*", to: FileHTTPHandler(path: SampleData.url(of: "cover.png"), contentType: "image/png"))

        let songs = try SongsHandler()
        append("GET /search?media=music&entity=song&term=:term", songs.search)
        append("POST /api/song", songs.create)

        let movies = try MoviesHandler()
        append("GET /3/movie/top_rated", movies.topRated)
        append("GET /3/movie/:id", movies.detail)

        append("GET /posts/:id") { request in
            let post = SampleData.url(of: "posts/\(request.routeParameters["id"] ?? "").json")
            return try await FileHTTPHandler(path: post, contentType: "application/json").handleRequest(request)
        }

        append("POST /post", EchoHandler.echo)

        let streams = try SongStreamsHandler()
        append("GET /now-playing", streams.nowPlaying)
        append("GET /slow-songs", streams.slowSongs)

        let chat = ChatHandler()
        append("POST /oauth/token", chat.token)
        append("POST /chat/completions", chat.complete)

        let files = FilesHandler(folder: dataFile.deletingLastPathComponent().appending(path: "files"))
        append("GET /files", files.list)
        append("POST /files", files.upload)
        append("GET /files/:name", files.download)
        append("GET /image.png", files.image)
    }

    /// Adds a route. If its handler throws, the response says why: the data file may be one that cannot be written.
    private func append(_ route: HTTPRoute, _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        appendRoute(route) { request in
            do {
                return try await handler(request)
            } catch {
                return try .json(["error": error.localizedDescription], .internalServerError)
            }
        }
    }
}
