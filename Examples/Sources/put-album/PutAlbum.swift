import AlbumsClient
import ArgumentParser
import ExampleServer
import Foundation
import Terminal
import URLSessionResultClient

@main
struct PutAlbum: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put-album",
        abstract: "Stores an album in a Firebase-style database, then reads it back.",
        discussion: """
            The embedded server keeps its albums in a file. To get the first five back, remove it:
            \(ExampleServer.defaultDataFile.path)
            """
    )

    @Option(help: "The album's key in the database.")
    var id: String

    @Option(help: "The artist.")
    var artist: String

    @Option(help: "The title.")
    var name: String

    @Option(help: "The year of release.")
    var year: Int?

    @Option(help: "A genre. You can pass this option several times.")
    var genre: [String] = []

    @OptionGroup var server: ServerOptions
    @OptionGroup var data: DataOption

    func validate() throws {
        guard !id.isEmpty else {
            throw ValidationError("--id must not be empty: it is the album's key in the database.")
        }
    }

    func run() async throws {
        try await server.connect(to: "albums", dataFile: data.file) { baseURL in
            let album = Album(id: id, artist: artist, name: name, year: year, genres: genre)
            try await AlbumsClient(baseURL: baseURL).put(album)
            print("Put  \(album.summary)")

            let stored = try await APIClient(baseURL: baseURL).result(for: .album(id)).get()
            guard let stored else { throw MissingAlbum(id: id) }
            print("Got  \(stored.summary)")
        }
    }
}

extension AlbumsClient {
    /// Stores an album. If the database rejects it, the error is the one that the database describes.
    fileprivate func put(_ album: Album) async throws {
        let error = await withCheckedContinuation { done in
            putAlbum(album) { done.resume(returning: $0) }
        }
        guard let error else { return }
        throw error.body(with: .json(DatabaseError.self)) ?? error
    }
}

private struct MissingAlbum: LocalizedError {
    let id: String

    var errorDescription: String? { "The database accepted the album, but has none with the id \(id)." }
}

extension Album {
    fileprivate var summary: String {
        let details = [year.map(String.init)].compactMap(\.self) + genres
        return "\(id): \(artist), \(name)" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }
}
