import ArgumentParser
import Terminal

@main
struct EchoValue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo-value",
        abstract: "Sends a value to an echo service and prints the response.",
        discussion: "To use Postman Echo, pass --url https://postman-echo.com"
    )

    @Argument(help: "The value to send.")
    var value: String

    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await server.connect { root in
            let echo = try await NetworkEchoGateway(server: root).fetch(with: EchoParameters(value: value))
            print(echo.value)
        }
    }
}
