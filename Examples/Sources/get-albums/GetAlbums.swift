import AlbumsClient
import ArgumentParser
import Terminal

@main
struct GetAlbums: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get-albums",
        abstract: "Lists the albums in a Firebase-style database.",
        discussion: "To use a database of your own, pass --url https://<project>.firebaseio.com"
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var data: DataOption

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func run() async throws {
        try await server.connect(to: "albums", dataFile: data.file) { baseURL in
            let result = await withCheckedContinuation { done in
                AlbumsClient(baseURL: baseURL).getAlbums { done.resume(returning: $0) }
            }
            let albums = try result.get()
            if json {
                try printJSON(albums)
            } else {
                print(Table(albums: albums))
            }
        }
    }
}

extension Table {
    fileprivate init(albums: [Album]) {
        self.init(
            columns: "Artist", "Album", "Year", "Songs",
            rows: albums.map { album in
                [album.artist, album.name, album.year.map(String.init) ?? "", String(album.songs.count)]
            }
        )
    }
}
