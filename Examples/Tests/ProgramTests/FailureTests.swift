import Foundation
import TestSupport
import Testing

/// A program and what it needs on the command line, without `--url`.
private struct Invocation: CustomTestStringConvertible, Sendable {
    let program: String
    let arguments: [String]

    var testDescription: String { program }

    func run(url: String) async throws -> Program.Outcome {
        try await Program.run(program, arguments + ["--url", url])
    }
}

private let invocations = [
    Invocation(program: "get-albums", arguments: []),
    Invocation(program: "put-album", arguments: ["--id", "x", "--artist", "A", "--name", "N"]),
]

@Suite("When things go wrong")
struct FailureTests {
    @Test("No server: one sentence on standard error, exit code 1", arguments: invocations)
    fileprivate func unreachable(_ invocation: Invocation) async throws {
        expectOneSentence(try await invocation.run(url: "http://127.0.0.1:1/albums"))
    }

    @Test("An error status: one sentence on standard error, exit code 1", arguments: invocations, [401, 404, 503])
    fileprivate func status(_ invocation: Invocation, status: Int) async throws {
        try await withServer(answering: status, headers: ["WWW-Authenticate": "Basic realm=\"albums\""]) {
            root async throws in
            let outcome = try await invocation.run(url: root.absoluteString)
            expectOneSentence(outcome)
            #expect(outcome.errors.contains("\(status)"))
        }
    }

    @Test("A broken body: one sentence on standard error, exit code 1", arguments: invocations, ["{", "[1]", "<p>"])
    fileprivate func brokenBody(_ invocation: Invocation, body: String) async throws {
        try await withServer(answering: 200, body) { root async throws in
            expectOneSentence(try await invocation.run(url: root.absoluteString))
        }
    }

    @Test("--help says what the program does", arguments: invocations)
    fileprivate func help(_ invocation: Invocation) async throws {
        let outcome = try await Program.run(invocation.program, "--help")
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix("OVERVIEW: ") && outcome.output.contains("USAGE: \(invocation.program) "))
    }

    private func expectOneSentence(_ outcome: Program.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(outcome.exitCode == 1, sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix("Error: "), sourceLocation: sourceLocation)
        #expect(outcome.errors.hasSuffix(".\n"), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
    }
}
