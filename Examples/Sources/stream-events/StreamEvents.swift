import ArgumentParser
import Foundation
import Terminal
import URLSessionResult

@main
struct StreamEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream-events",
        abstract: "Prints the songs that a radio plays, as they come."
    )

    @Option(help: "Stop after this many songs.")
    var limit: Int?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        try await server.connect(to: "now-playing") { url in
            try await printSongs(of: url)
        }
    }

    private func printSongs(of url: URL) async throws {
        let response = try await URLSession.shared.bytesResult(from: url).get()
        var count = 0
        for try await event in response.body.events where event.name == "song" {
            let song = try event.decode(with: .json(Song.self)).get()
            printAtOnce("\(song.artistName): \(song.trackName)\n")
            count += 1
            if count == limit { break }
        }
        if count == 0 { print("No songs found.") }
    }
}

private struct Song: Decodable {
    let trackName: String
    let artistName: String
}
