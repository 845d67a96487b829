import ArgumentParser
import ExampleServer
import Foundation

/// Where the embedded server keeps its albums.
package struct DataOption: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Where the embedded server keeps its albums.", valueName: "file"))
    package var data: String?

    package init() {}

    package var file: URL { data.map { URL(filePath: $0) } ?? ExampleServer.defaultDataFile }
}
