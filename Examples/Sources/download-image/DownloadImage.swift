import ArgumentParser
import ExampleServer
import Foundation
import Terminal

@main
struct DownloadImage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download-image",
        abstract: "Downloads a PNG or JPEG image to a file, shows the progress and prints the size of the image."
    )

    @Argument(help: "The URL of the image. Without it, the embedded server sends an image.")
    var url: URL?

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to save the image to.", valueName: "file"))
    var output: String

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output must name a file.") }
    }

    func run() async throws {
        if let url {
            try await download(from: url)
        } else {
            try await ExampleServer.run { root in try await download(from: root.appending(path: "image.png")) }
        }
    }

    private func download(from url: URL) async throws {
        let image = try await fetch(ImageParameters(url: url, destination: URL(filePath: output)))
        print("\(image.format), \(image.width) × \(image.height) pixels, \(image.byteCount) bytes")
        print("Saved to \(output)")
    }

    private func fetch(_ parameters: ImageParameters) async throws -> Image {
        let bar = ProgressBar()
        do {
            let image = try await NetworkImageGateway().fetch(with: parameters) { bar.show($0) }
            bar.finish()
            return image
        } catch {
            bar.erase()
            throw error
        }
    }
}
