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
        await server.appendRoute("*", to: AlbumsHandler(store: AlbumStore(file: dataFile)))
        await server.appendRoute("GET /covers/:name") { (name: String) in
            .png(.gradient(width: 64, height: 64, seed: name))
        }
        await server.appendRoute("*") { _ in .error(.notFound, "There is nothing at this address.") }
        return try await server.serve(while: body)
    }
}
