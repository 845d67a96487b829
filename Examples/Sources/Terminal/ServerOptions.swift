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
    ///   - data: Where the embedded server keeps its albums.
    ///   - body: What to do with the address.
    /// - Throws: What `body` throws, or why the embedded server cannot run.
    package func connect(
        to path: String = "",
        data: DataOption = DataOption(),
        body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        if let url {
            try await body(url)
        } else {
            try await ExampleServer.run(dataFile: data.file) { root in try await body(root.appending(path: path)) }
        }
    }
}

/// Where the embedded server keeps its albums.
package struct DataOption: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Where the embedded server keeps its albums.", valueName: "file"))
    package var data: String?

    package init() {}

    package var file: URL { data.map { URL(filePath: $0) } ?? ExampleServer.defaultDataFile }
}
