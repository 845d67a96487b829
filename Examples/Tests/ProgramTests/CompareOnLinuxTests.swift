import TestSupport
import Testing

@Suite("compare-on-linux", .serialized)
struct CompareOnLinuxTests {
    @Test(
        "The library ends after a challenge, and keeps a token with its server",
        arguments: [
            ("challenge", "URLSessionResult  failure(serverError(statusCode: 401))"),
            ("redirect", "URLSessionResult  the other server received no token"),
        ])
    func library(comparison: String, line: String) async throws {
        let outcome = try await Program.run("compare-on-linux", comparison)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(lines.count == 2 && lines.last == line)
    }
}
