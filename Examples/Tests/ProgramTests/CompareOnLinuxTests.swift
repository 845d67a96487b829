import TestSupport
import Testing

@Suite("compare-on-linux", .serialized)
struct CompareOnLinuxTests {
    @Test(
        "The library keeps a token with its server, and ends after a challenge",
        arguments: [
            ("redirect", "URLSessionResult  the other server received no token"),
            ("challenge", "URLSessionResult  failure(serverError(statusCode: 401))"),
        ])
    func library(comparison: String, line: String) async throws {
        let outcome = try await Program.run("compare-on-linux", comparison)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(lines.count == 2 && lines.last == line)
    }

    @Test("Sessions over TLS need a server with TLS")
    func server() async throws {
        let outcome = try await Program.run("compare-on-linux", "sessions", "--server", "http://localhost/")
        #expect(outcome.exitCode != 0)
        #expect(outcome.errors.contains("The URL of the server has to begin with https."))
    }
}
