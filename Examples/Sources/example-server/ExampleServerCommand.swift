import ArgumentParser
import ExampleServer
import Foundation
import Terminal

@main
struct ExampleServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "example-server",
        abstract: "Runs the server that the other programs use, until you press Control-C."
    )

    @Option(help: "The port to listen on. With 0, the system chooses a port.")
    var port: UInt16 = 8080

    @OptionGroup var data: DataOption

    func run() async throws {
        try await ExampleServer.run(port: port, dataFile: data.file) { root in
            printAtOnce(
                """
                Listening on \(root), for example:
                  curl '\(root)/albums/homogenic.json'
                  curl -X PUT -d '{"id": "x", "artist": "X", "name": "Los Angeles"}' '\(root)/albums/x.json'
                  curl '\(root)/search?media=music&entity=song&term=jobim'
                  curl -H 'Authorization: Bearer example' '\(root)/3/movie/top_rated'
                  curl '\(root)/posts/1'
                  curl -d '{"value": "hello"}' '\(root)/post'
                  curl -o image.png '\(root)/image.png'
                  curl -N '\(root)/now-playing'
                  curl -N '\(root)/slow-songs'
                  curl -d 'grant_type=refresh_token&refresh_token=example' '\(root)/oauth/token'
                  curl '\(root)/files'
                  curl -C - -o photograph.png '\(root)/files/photograph.png'

                """
            )
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
}
