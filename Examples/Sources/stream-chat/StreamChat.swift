import ArgumentParser
import Foundation
import Terminal
import URLSessionResult

@main
struct StreamChat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream-chat",
        abstract: "Asks a language model, and prints the answer while it arrives.",
        discussion: "To use an API like OpenAI's, pass --url https://api.openai.com/v1, --token and --model."
    )

    @Argument(help: "The question.")
    var question: String

    @Option(help: "The model that answers.")
    var model = "small"

    @Option(help: "The bearer token of the API.")
    var token: String?

    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await server.connect { root in
            let body = ChatRequest(model: model, messages: [.init(role: "user", content: question)])
            var request = try URLRequest(url: root.appending(path: "chat/completions"), method: .post, json: body)
            request.setValue(token.map { "Bearer \($0)" }, forHTTPHeaderField: "Authorization")
            let answer = try await URLSession.shared.bytesResult(for: request).get()
            for try await event in answer.body.events where event.data != "[DONE]" {
                let part = try event.decode(with: .json(ChatPart.self)).get()
                printAtOnce(part.choices.first?.delta.content ?? "")
            }
            printAtOnce("\n")
        }
    }
}

private struct ChatRequest: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }

    let model: String
    let messages: [Message]
    let stream = true
}

/// The next words of an answer.
private struct ChatPart: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable {
            let content: String?
        }

        let delta: Delta
    }

    let choices: [Choice]
}
