import Foundation
import TestSupport
import Testing

/// A program and the arguments that it needs to talk to a server.
private struct Invocation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let words: [String]
    private let urlOption: [String]

    init(_ line: String, urlOption: String? = "--url") {
        testDescription = line
        words = line.split(separator: " ").map(String.init)
        self.urlOption = urlOption.map { [$0] } ?? []
    }

    func run(url: String) async throws -> Program.Outcome {
        try await Program.run(words[0], Array(words.dropFirst()) + urlOption + [url])
    }
}

private let invocations = [
    Invocation("find-songs x"),
    Invocation("get-albums"),
    Invocation("put-album --id x --artist A --name N"),
    Invocation("search-songs x"),
    Invocation("search-songs --create N A"),
    Invocation("top-movies"),
    Invocation("top-movies --id 1"),
    Invocation("fetch-post 1"),
    Invocation("echo-value x"),
    Invocation("download-image --output image", urlOption: nil),
    Invocation("show-rows"),
    Invocation("stream-chat x"),
    Invocation("sync-files Files"),
]

private let programs = [
    "find-songs", "get-albums", "put-album", "search-songs", "top-movies", "fetch-post", "echo-value", "download-image",
    "show-rows", "stream-chat", "sync-files", "compare-on-linux", "example-server",
]

@Suite("Failures", .serialized)
struct FailureTests {
    @Test("No server: one sentence on standard error, exit code 1", arguments: invocations)
    fileprivate func unreachable(_ invocation: Invocation) async throws {
        let outcome = try await invocation.run(url: "http://127.0.0.1:1/albums")
        expectOneSentence(outcome)
        #expect(outcome.errors.contains("127.0.0.1:1 could not be reached"))
    }

    @Test("An error status: one sentence on standard error, exit code 1", arguments: invocations, [401, 404, 503])
    fileprivate func status(_ invocation: Invocation, status: Int) async throws {
        try await withServer(answering: status, headers: ["WWW-Authenticate": "Basic realm=\"x\""]) {
            root async throws in
            let outcome = try await invocation.run(url: root.absoluteString)
            expectOneSentence(outcome)
            #expect(outcome.errors.contains("status \(status)"))
        }
    }

    @Test("An invalid body: one sentence on standard error, exit code 1", arguments: invocations, ["{", "[1]", "<p>"])
    fileprivate func brokenBody(_ invocation: Invocation, body: String) async throws {
        try await withServer(answering: 200, body) { root async throws in
            let outcome = try await invocation.run(url: root.absoluteString)
            expectOneSentence(outcome)
            let reasons = ["could not be read", "is not a PNG or JPEG image"]
            #expect(reasons.contains { outcome.errors.contains($0) })
        }
    }

    @Test("--help says what the program does", arguments: programs)
    func help(program: String) async throws {
        let outcome = try await Program.run(program, "--help")
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix("OVERVIEW: ") && outcome.output.contains("USAGE: \(program) "))
    }

    private func expectOneSentence(_ outcome: Program.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        let lines = outcome.errors.split(separator: "\n").filter { !$0.hasSuffix(" %") }
        #expect(outcome.exitCode == 1, sourceLocation: sourceLocation)
        #expect(lines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(lines.first?.hasPrefix("Error: ") == true, sourceLocation: sourceLocation)
        #expect(lines.first?.hasSuffix(".") == true, sourceLocation: sourceLocation)
    }
}
