import ArgumentParser
import Foundation
import Terminal
import URLSessionResult

@main
struct ShowRows: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show-rows",
        abstract: "Prints the songs of one JSON document while it arrives.",
        discussion: "The times of the first and of the last row go to standard error."
    )

    @Option(help: "Stop after this many rows.")
    var limit: Int?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        try await server.connect(to: "slow-songs") { url in
            try await printRows(of: url)
        }
    }

    private func printRows(of url: URL) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        var rowTimes: [Duration] = []
        let response = try await URLSession.shared.bytesResult(from: url).get()
        for try await song in response.body.elements(.json(Song.self), at: "results") {
            printAtOnce("\(song.artistName): \(song.trackName)\n")
            rowTimes.append(clock.now - start)
            if rowTimes.count == limit { break }
        }
        guard let first = rowTimes.first, let last = rowTimes.last else { return print("No songs found.") }
        let times = "First row after \(first.inSeconds), last row after \(last.inSeconds)."
        printError(times)
    }
}

private struct Song: Decodable {
    let trackName: String
    let artistName: String
}

extension Duration {
    fileprivate var inSeconds: String {
        formatted(.units(allowed: [.seconds], width: .wide, fractionalPart: .show(length: 2)))
    }
}
