import ArgumentParser
import ExampleServer
import Foundation

/// Which server a program talks to.
package struct ServerOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Talk to this server instead of the embedded one.", valueName: "base"))
    package var url: URL?

    package init() {}

    /// Calls `body` with the address that `--url` names, or with that of an embedded server that runs meanwhile.
    ///
    /// - Parameters:
    ///   - path: The path of the API on the embedded server.
    ///   - dataFile: Where the embedded server keeps its albums.
    ///   - body: What to do with the address.
    /// - Throws: What `body` throws, or why the embedded server cannot run.
    package func connect(
        to path: String = "",
        dataFile: URL = ExampleServer.defaultDataFile,
        body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        if let url {
            try await body(url)
        } else {
            try await ExampleServer.run(dataFile: dataFile) { root in try await body(root.appending(path: path)) }
        }
    }
}
