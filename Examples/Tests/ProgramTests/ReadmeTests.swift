import Foundation
import TestSupport
import Testing

@Suite("The README of the examples, and what that of the library shows of them", .serialized)
struct ReadmeTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    @Test("Each command prints the output that follows it")
    func commands() async throws {
        let commands = try Self.blocks(of: "console").flatMap(Command.commands)
        #expect(commands.count == 8)
        try await withTemporaryFolder { folder in
            for command in commands {
                let outcome = try await command.run(in: folder)
                #expect(outcome.exitCode == 0 ? outcome.output == command.output : outcome.errors == command.output)
            }
        }
    }

    @Test("Each command of the table succeeds")
    func table() async throws {
        let commands = try Self.page("README.md").matches(of: /(?m)^\| \[.*\| `([^`|]+)` \|$/).map { match in
            Command(line: match.1)
        }
        #expect(commands.count == 12)
        try await withTemporaryFolder { folder in
            for command in commands {
                let outcome = try await command.run(in: folder)
                #expect(outcome.exitCode == 0 && !outcome.output.isEmpty, "\(command): \(outcome.errors)")
            }
        }
    }

    @Test("The code is that of the programs, word for word, except for what was before")
    func code() throws {
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Self.package.appending(path: "Sources").path)
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: Self.package.appending(path: "Sources/\($0)"), encoding: .utf8) }
            .map(Self.withoutIndentation)
        let snippets = try Self.blocks(of: "swift").dropFirst()
        #expect(snippets.count == 9)
        for snippet in snippets {
            #expect(sources.contains { $0.contains(Self.withoutIndentation(snippet)) }, "\(snippet)")
        }
    }

    @Test("What the library's README says to try is get-albums and the tests, as CI calls them")
    func firstCommands() async throws {
        let shell = try Self.blocks(of: "sh", in: "../README.md", from: "\n## Try it\n", to: "\n## ")
        let outputs = try Self.blocks(of: "text", in: "../README.md", from: "\n## Try it\n", to: "\n## ")
        #expect(shell == ["swift run --package-path Examples get-albums\n", "swift test\n"])
        try await withTemporaryFolder { folder in
            let albums = folder.appending(path: "albums.json").path
            let outcome = try await Program.run("get-albums", "--data", albums)
            let lastLine = try #require(outcome.output.split(separator: "\n").last)
            #expect(outputs == ["\(lastLine)\n", "✔ Test run with … tests in … suites passed after … seconds.\n"])
        }
        #expect(try Self.page("../.ci/run").contains("&& make coverage-readme "))
    }

    private static func page(_ path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    /// The code blocks in a language, in the parts of a page from one word to another.
    private static func blocks(
        of language: String, in path: String = "README.md", from start: String = "", to end: String = ""
    ) throws -> [String] {
        let page = try page(path)
        let parts =
            start.isEmpty
            ? [page]
            : page.components(separatedBy: start).dropFirst().map { part in
                part.components(separatedBy: end)[0]
            }
        return parts.flatMap { part in
            part.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        }
    }

    private static func withoutIndentation(_ code: String) -> String {
        code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}

/// A command of the page and the output that follows it.
private struct Command {
    let line: Substring
    var output = ""

    /// Runs the command, with the data of the server in the folder, apart from that of the user.
    func run(in folder: URL) async throws -> Program.Outcome {
        guard let words = line.wholeMatch(of: /(?:swift run --package-path Examples )?([a-z]+-.*)/)?.1 else {
            return try await Program.runShell(String(line), in: folder)
        }
        let arguments = Self.words(of: words)
        let keepsData = ["get-albums", "put-album", "sync-files"].contains(arguments[0])
        let data = keepsData ? ["--data", folder.appending(path: "data/albums.json").path] : []
        return try await Program.run(arguments[0], arguments.dropFirst() + data, in: folder)
    }

    static func commands(in block: String) -> [Command] {
        "\n\(block)".components(separatedBy: "\n$ ").dropFirst().map { text in
            let line = text.prefix { $0 != "\n" }
            let output = text.dropFirst(line.count + 1)
            return Command(
                line: line, output: output.isEmpty || output.hasSuffix("\n") ? String(output) : output + "\n")
        }
    }

    /// Splits at spaces, except within double quotes.
    private static func words(of line: Substring) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }
}
