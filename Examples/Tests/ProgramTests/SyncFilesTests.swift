import Foundation
import TestSupport
import Testing

@Suite("sync-files", .serialized)
struct SyncFilesTests {
    @Test("It continues the download that Control-C has ended")
    func interrupt() async throws {
        try await withTemporaryFolder { folder in
            try await withExampleServer { root async throws in
                // The second piece would take a minute. The first one, 2 % of the file, may come in parts.
                let program = try Program.start("sync-files", folder.path, "--url", "\(root)?interval=60")
                let shown = String(decoding: program.errors.availableData, as: UTF8.self)
                #expect(["0 %\n", "1 %\n", "2 %\n"].contains(shown))
                #expect(await program.interrupt() == 130)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.sorted() == ["photograph.png.part", "photograph.png.part-version"])

                // A byte that the server does not have shows that this part is not received again.
                let part = folder.appending(path: "photograph.png.part")
                let received = try Data(contentsOf: part)
                try #require(received.first == 0x89)
                try (Data("X".utf8) + received.dropFirst()).write(to: part)

                let outcome = try await Program.run("sync-files", folder.path, "--url", "\(root)?interval=0")
                #expect(outcome.exitCode == 0)
                #expect(outcome.output == "Received photograph.png (3687708 bytes)\n")
                let file = try Data(contentsOf: folder.appending(path: "photograph.png"))
                #expect(file.count == 3_687_708 && file.starts(with: Data("X".utf8)))
            }
        }
    }

    @Test("A folder must have a name")
    func noName() async throws {
        let outcome = try await Program.run("sync-files", "")
        #expect(outcome.exitCode == 64 && outcome.errors.hasPrefix("Error: The folder must have a name.\n"))
    }
}
