import ArgumentParser
import ExampleServer
import Foundation
import Terminal

@main
struct DownloadImage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download-image",
        abstract: "Downloads a PNG or JPEG image, shows the progress and tells its size."
    )

    @Argument(help: "The address of the image; without it the embedded server makes one.")
    var url: URL?

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to save the image.", valueName: "file"))
    var output: String?

    func run() async throws {
        if let url {
            try await download(from: url)
        } else {
            try await ExampleServer.run { root in try await download(from: root.appending(path: "image.png")) }
        }
    }

    private func download(from url: URL) async throws {
        let image = try await fetch(ImageParameters(url: url))
        print("\(image.format), \(image.width) × \(image.height) pixels, \(image.data.count) bytes")
        if let output {
            try save(image, to: output)
            print("Saved to \(output)")
        }
    }

    private func save(_ image: Image, to path: String) throws {
        do {
            try image.data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw SaveError(path: path, cause: error)
        }
    }

    private func fetch(_ parameters: ImageParameters) async throws -> Image {
        let bar = ProgressBar()
        defer { bar.end() }
        return try await NetworkImageGateway().fetch(with: parameters) { bar.show($0) }
    }
}

private struct SaveError: LocalizedError {
    let path: String
    let cause: any Error

    var errorDescription: String? { "The image cannot be saved to \(path): \(cause.localizedDescription)" }
}
