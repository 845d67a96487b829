import ArgumentParser
import Foundation
import Terminal

@main
struct SearchSongs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search-songs",
        abstract: "Searches for songs with the iTunes Search API, or creates a song.",
        discussion: "To use the iTunes Search API, pass --url https://itunes.apple.com"
    )

    @Argument(help: "The words to search for.")
    var term: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Create this song instead.", valueName: "name artist"))
    var create: [String] = []

    @Option(help: "The bearer token that --create needs.")
    var token: String?

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard create.isEmpty || create.count == 2 else { throw ValidationError("--create needs a name and an artist.") }
        guard create.isEmpty != term.isEmpty else {
            throw ValidationError("Pass either words to search for or --create.")
        }
        guard !create.isEmpty || term.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("There is nothing to search for. Pass a word, as in: search-songs miles")
        }
    }

    func run() async throws {
        try await server.connect { root in
            let api = SongsAPI(server: root, token: token)
            if create.isEmpty {
                try await search(with: api)
            } else {
                try await createSong(with: api)
            }
        }
    }

    private func search(with api: SongsAPI) async throws {
        let songs = try await api.searchSongs(by: term.joined(separator: " ")).get()
        if json {
            try printJSON(songs)
        } else if songs.isEmpty {
            print("No songs found.")
        } else {
            print(Table(columns: "Song", "Artist", rows: songs.map { [$0.trackName, $0.artistName] }))
        }
    }

    private func createSong(with api: SongsAPI) async throws {
        let song = try await api.createSong(Song(trackName: create[0], artistName: create[1])).get()
        print("Created \(song.trackName) by \(song.artistName)")
    }
}
