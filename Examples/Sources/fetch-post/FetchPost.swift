import ArgumentParser
import Terminal

@main
struct FetchPost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch-post",
        abstract: "Fetches a post from JSONPlaceholder.",
        discussion: "To use JSONPlaceholder, pass --url https://jsonplaceholder.typicode.com"
    )

    @Argument(help: "The number of the post.")
    var id: Int

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await server.connect { root in
            let post = try await NetworkPostGateway(server: root).fetch(with: PostParameters(id: id))
            if json {
                try printJSON(post)
            } else {
                print("\(post.title) (post \(post.id) by user \(post.userId))\n\n\(post.body)")
            }
        }
    }
}
