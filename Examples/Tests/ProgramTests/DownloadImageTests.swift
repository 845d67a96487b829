import Foundation
import TestSupport
import Testing

@Suite("download-image", .serialized)
struct DownloadImageTests {
    @Test("The image is saved, and without a terminal the progress is printed in lines")
    func download() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "image.png")
            let outcome = try await Program.run("download-image", "--output", file.path)
            #expect(outcome.exitCode == 0)
            #expect(outcome.output == "PNG, 1280 × 960 pixels, 3687708 bytes\nSaved to \(file.path)\n")
            #expect(outcome.errors.hasSuffix("100 %\n"))
            #expect((1...11).contains(outcome.errors.split(separator: "\n").count))
            #expect(try Data(contentsOf: file).count == 3_687_708)
        }
    }

    @Test("A destination that is a folder is an error that names it")
    func unwritable() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Program.run("download-image", "--output", folder.path)
            #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
            let name = folder.lastPathComponent
            #expect(outcome.errors == "Error: The file \(name) could not be written: it is a folder.\n")
        }
    }
}
