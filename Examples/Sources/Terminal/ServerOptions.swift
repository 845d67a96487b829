import ArgumentParser
import ExampleServer
import Foundation

/// The server that a program uses.
package struct ServerOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Use this server instead of the embedded one.", valueName: "base"))
    package var url: URL?

    package init() {}

    /// Calls `body` with the URL of `--url`, or starts the embedded server and calls `body` with its URL.
    ///
    /// - Parameters:
    ///   - path: The path of the API on the embedded server, and on one that `--url` names without a path.
    ///   - dataFile: The file in which the embedded server keeps its albums.
    ///   - body: A function of the URL.
    /// - Throws: The error that `body` throws, or an error that says why the embedded server cannot run.
    package func connect(
        to path: String = "",
        dataFile: URL = ExampleServer.defaultDataFile,
        body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        if let url {
            try await body(url.isWithoutPath ? url.appending(path: path) : url)
        } else {
            try await ExampleServer.run(dataFile: dataFile) { root in try await body(root.appending(path: path)) }
        }
    }
}

extension URL {
    fileprivate var isWithoutPath: Bool { path().isEmpty || path() == "/" }
}
