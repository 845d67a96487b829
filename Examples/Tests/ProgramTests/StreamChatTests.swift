import Foundation
import TestSupport
import Testing

@Suite("stream-chat", .serialized)
struct StreamChatTests {
    private static let stream = ["Content-Type": "text/event-stream"]
    private static let words =
        #"data: {"choices": [{"delta": {"role": "assistant"}}]}"# + "\n\n"
        + #"data: {"choices": [{"delta": {"content": "Hello"}}]}"# + "\n\n"

    @Test("It prints an answer, and an error after the words that came")
    func answer() async throws {
        try await withServer(answering: 200, Self.words + "data: [DONE]\n\n", headers: Self.stream) {
            root async throws in
            let outcome = try await Program.run("stream-chat", "Hello?", "--url", root.absoluteString)
            #expect(outcome.exitCode == 0 && outcome.output == "Hello\n" && outcome.errors.isEmpty)
        }
        try await withServer(answering: 200, Self.words + "data: {\n\n", headers: Self.stream) { root async throws in
            let outcome = try await Program.run("stream-chat", "Hello?", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.output == "Hello\n")
            #expect(outcome.errors.hasPrefix("Error: "))
        }
    }

    @Test("It ends with the last event, also if no empty line ends that", arguments: ["", "\n", "\n\ndata: [DONE]"])
    func lastEvent(end: String) async throws {
        let last = #"data: {"choices": [{"delta": {"content": " there"}}]}"# + end
        for type in ["text/event-stream", "text/plain"] {
            try await withServer(answering: 200, Self.words + last, headers: ["Content-Type": type]) {
                root async throws in
                let outcome = try await Program.run("stream-chat", "Hello?", "--url", root.absoluteString)
                #expect(outcome.exitCode == 0 && outcome.output == "Hello there\n" && outcome.errors.isEmpty)
            }
        }
    }

    @Test("It prints the reason that the API gives for an error")
    func reason() async throws {
        let body = #"{"error": {"message": "There is no such model."}}"#
        try await withServer(answering: 404, body) { root async throws in
            let outcome = try await Program.run("stream-chat", "Hello?", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.errors == "Error: There is no such model.\n")
        }
    }

    @Test("An empty question is exit code 64", arguments: ["", " "])
    func noQuestion(question: String) async throws {
        let outcome = try await Program.run("stream-chat", question)
        #expect(outcome.exitCode == 64 && outcome.errors.hasPrefix("Error: There is no question to ask.\n"))
    }

    @Test("--verbose shows the refused token, the refresh, and the second attempt after a 503")
    func verbose() async throws {
        let outcome = try await Program.run("stream-chat", "Hello?", "--token", "old", "--verbose")
        #expect(outcome.exitCode == 0 && outcome.output == "You ask: Hello? That is a good question.\n")
        let events = outcome.errors.matches(
            of: /\/oauth\/token|\/chat\/completions|statusCode: 401|statusCode: 503| 200 after/
        ).map(\.output)
        #expect(
            events == [
                "/chat/completions", "statusCode: 401", "/oauth/token", " 200 after", "/chat/completions",
                "statusCode: 503",
                "/chat/completions", " 200 after",
            ])
    }

    @Test("Control-C ends an answer with exit code 130, and the words that came stay")
    func interrupt() async throws {
        try await withExampleServer { root async throws in
            // The second word would take a minute.
            let url = "\(root)?interval=60"
            let program = try Program.start("stream-chat", "Hello?", "--url", url, "--refresh-token", "example")
            #expect(program.output.availableData == Data("You".utf8))
            #expect(await program.interrupt() == 130)
            #expect(try program.output.readToEnd() == Data("\n".utf8))
            #expect(try program.errors.readToEnd() ?? Data() == Data())
        }
    }
}
