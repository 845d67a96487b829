import ArgumentParser
import ExampleServer
import Foundation

/// The file in which the embedded server keeps its albums.
package struct DataOption: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The file in which the embedded server keeps its albums. (default: a file in the build folder)",
            valueName: "file"))
    package var data: String?

    package init() {}

    package var file: URL { data.map { URL(filePath: $0) } ?? ExampleServer.defaultDataFile }
}
