import ArgumentParser
import Foundation
import Terminal
import URLSessionResultClient

@main
struct StreamChat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream-chat",
        abstract: "Asks a language model, and prints the answer while it arrives.",
        discussion: """
            To use an API like OpenAI's, pass --url https://api.openai.com/v1, --token and --model. Press Control-C to end \
            the answer.
            """
    )

    @Argument(help: "The question.")
    var question: String

    @Option(help: "The model that answers.")
    var model = "small"

    @Option(help: "The bearer token of the API.")
    var token: String?

    @Option(help: "The token that gets another bearer token. (default for the embedded server: example)")
    var refreshToken: String?

    @Flag(help: "Print the requests to standard error.")
    var verbose = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard !question.allSatisfy(\.isWhitespace) else { throw ValidationError("There is no question to ask.") }
    }

    func run() async throws {
        try await server.connect { root in
            let embedded = server.url == nil ? "example" : nil
            let chat = ChatAPI(server: root, token: token, refreshToken: refreshToken ?? embedded) { line in
                if verbose { printError(line) }
            }
            try await stoppingAtInterrupt {
                try await printAnswer(of: chat)
            }
        }
    }

    private func printAnswer(of chat: ChatAPI) async throws {
        var isEmpty = true
        // Also after an error, so that its message starts on a line of its own.
        defer { if !isEmpty { printAtOnce("\n") } }
        do throws(NetworkError) {
            for try await text in chat.answer(to: question, by: model) {
                isEmpty = false
                printAtOnce(text)
            }
        } catch {
            throw ChatError(error)
        }
    }
}

/// The error of a request, in the API's words if it has any.
private struct ChatError: LocalizedError {
    let errorDescription: String?

    init(_ error: NetworkError) {
        errorDescription = error.body(with: .json(String.self, at: "error.message")) ?? error.localizedDescription
    }
}
