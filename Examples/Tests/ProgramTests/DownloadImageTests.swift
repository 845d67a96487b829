import Foundation
import TestSupport
import Testing

@Suite("download-image")
struct DownloadImageTests {
    @Test("The image is saved as it came, its progress is lines where there is no terminal")
    func download() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "image.png")
            let outcome = try await Program.run("download-image", "--output", file.path)
            #expect(outcome.exitCode == 0)
            #expect(outcome.output == "PNG, 1280 × 960 pixels, 3687708 bytes\nSaved to \(file.path)\n")
            #expect(outcome.errors.hasPrefix("0 %\n") && outcome.errors.hasSuffix("\n100 %\n"))
            #expect(outcome.errors.split(separator: "\n").count == 11)
            #expect(try Data(contentsOf: file).count == 3_687_708)
        }
    }

    @Test("A file that cannot be written is an error that names it")
    func unwritable() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "missing/image.png")
            let outcome = try await Program.run("download-image", "--output", file.path)
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors.contains("Error: The image cannot be saved to \(file.path): "))
        }
    }
}
