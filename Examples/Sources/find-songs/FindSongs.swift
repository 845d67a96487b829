import ArgumentParser
import Foundation
import Terminal
import URLSessionResult

struct Song: Decodable {
    let trackName: String
    let artistName: String
}

extension ResultDecoder where T == [Song] {
    static let songs = ResultDecoder.json(at: "results")
}

@main
struct FindSongs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find-songs", abstract: "Finds songs with one request.",
        discussion: "To use the iTunes Search API, pass --url https://itunes.apple.com")

    @Argument(help: "The words to search for.")
    var words: [String] = []

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("There is nothing to search for. Pass a word, as in: find-songs miles")
        }
    }

    func run() async throws {
        try await server.connect { root in
            let url = searchURL(for: words.joined(separator: " "), at: root)
            // `get()` throws a NetworkError. Its description is a sentence, which the program prints as it ends.
            let songs = try await URLSession.shared.dataResult(from: url, decoder: .songs).get()
            if songs.isEmpty { print("No songs found.") }
            for song in songs { print("\(song.artistName): \(song.trackName)") }
        }
    }
}

func searchURL(for term: String, at root: URL) -> URL {
    let query = [
        URLQueryItem(name: "media", value: "music"), URLQueryItem(name: "entity", value: "song"),
        URLQueryItem(name: "term", value: term),
    ]
    var components = URLComponents()
    components.queryItems = query
    // `URLComponents` does not escape `+`, which servers read as a space.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
    return components.url(relativeTo: root.appending(path: "search")) ?? root
}
