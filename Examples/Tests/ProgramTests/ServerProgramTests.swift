import Foundation
import TestSupport
import Testing

@Suite("example-server", .serialized)
struct ServerProgramTests {
    @Test("It says where it listens, answers there, and takes a port once")
    func listens() async throws {
        try await withTemporaryFolder { folder async throws in
            let server = try Program.start(
                "example-server", "--port", "0", "--data", folder.appending(path: "a.json").path)
            defer { server.process.terminate() }
            let greeting = String(decoding: server.output.availableData, as: UTF8.self)
            let address = try #require(greeting.split(whereSeparator: { " ,".contains($0) }).dropFirst(2).first)
            let root = try #require(URL(string: String(address)))
            #expect(try await Answer(to: "GET /posts/1", at: root).status == 200)

            let port = try #require(root.port)
            let second = try await Program.run("example-server", "--port", String(port))
            #expect(second.exitCode == 1 && second.output.isEmpty)
            #expect(second.errors == "Error: The server cannot listen: Address already in use.\n")
        }
    }
}
