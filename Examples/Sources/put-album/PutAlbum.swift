import AlbumsClient
import ArgumentParser
import Terminal
import URLSessionResult

@main
struct PutAlbum: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put-album",
        abstract: "Puts an album into a Firebase-style database and gets it back."
    )

    @Option(help: "The album's name in the database.")
    var id: String

    @Option(help: "Who made it.")
    var artist: String

    @Option(help: "What it is called.")
    var name: String

    @Option(help: "The year it came out.")
    var year: Int?

    @Option(help: "A genre; may be given more than once.")
    var genre: [String] = []

    @OptionGroup var server: ServerOptions
    @OptionGroup var data: DataOption

    func run() async throws {
        try await server.connect(to: "albums", dataFile: data.file) { baseURL in
            let client = AlbumsClient(baseURL: baseURL)
            let album = Album(id: id, artist: artist, name: name, year: year, genres: genre)
            try await client.put(album)
            print("Put  \(album.summary)")

            let stored = try await client.getAlbum(id: id).get()
            print("Got  \(stored?.summary ?? "nothing")")
        }
    }
}

extension AlbumsClient {
    /// Puts an album, or throws the database's own reason for refusing it.
    fileprivate func put(_ album: Album) async throws {
        do {
            try await putAlbum(album).get()
        } catch {
            if case .success(let refusal)? = error.response?.decode(with: .json(DatabaseRefusal.self)) { throw refusal }
            throw error
        }
    }
}

extension Album {
    fileprivate var summary: String {
        let details = [year.map(String.init)].compactMap(\.self) + genres
        return "\(id): \(artist), \(name)" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }
}
