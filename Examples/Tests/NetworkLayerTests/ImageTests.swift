import Foundation
import Synchronization
import TestSupport
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import download_image

@Suite("Images", .serialized)
struct ImageTests {
    @Test("Progress grows to 1, with at most one report for each per cent")
    func progress() async throws {
        let fractions = Mutex<[Double]>([])
        try await withTemporaryFolder { folder in
            try await withExampleServer { root async throws in
                let parameters = ImageParameters(
                    url: root.appending(path: "image.png"), destination: folder.appending(path: "image.png"))
                let image = try await NetworkImageGateway().fetch(with: parameters) { fraction in
                    fractions.withLock { $0.append(fraction) }
                }
                #expect(image.format == "PNG" && image.width == 1280 && image.height == 960)
            }
        }
        let reported = fractions.withLock { $0 }
        #expect(reported.last == 1)
        #expect(reported == reported.sorted())
        #expect((1...101).contains(reported.count))
    }

    @Test(
        "What is not an image is an error that names the file, and an older file stays",
        arguments: ["", "GIF89a", "\u{89}PNG", "<html></html>"])
    func notAnImage(content: String) async throws {
        try await withTemporaryFolder { folder in
            let gateway = NetworkImageGateway(session: SessionStub(.text(content)).session)
            let file = folder.appending(path: "picture")
            try Data("old".utf8).write(to: file)
            let parameters = ImageParameters(url: URL(filePath: "/"), destination: file)
            await #expect(throws: ImageError.notAnImage(file)) { try await gateway.fetch(with: parameters) { _ in } }
            #expect(try Data(contentsOf: file) == Data("old".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["picture"])
        }
    }

    @Test("A destination that cannot be written is an error before anything is requested")
    func unwritableDestination() async throws {
        try await withTemporaryFolder { folder in
            let stub = SessionStub(.response())
            let parameters = ImageParameters(url: URL(filePath: "/"), destination: folder)
            await #expect(throws: ImageError.isFolder(folder)) {
                try await NetworkImageGateway(session: stub.session).fetch(with: parameters) { _ in }
            }
            #expect(stub.requests.isEmpty)
        }
    }

    @Test("A JPEG's size is in its start-of-frame segment, whatever comes before", arguments: [0xC0, 0xC2] as [UInt8])
    func jpeg(marker: UInt8) throws {
        let app0: [UInt8] = [0xFF, 0xE0, 0x00, 0x04, 0x4A, 0x46]
        let huffmanTable: [UInt8] = [0xFF, 0xC4, 0x00, 0x03, 0x00]
        let frame: [UInt8] = [0xFF, marker, 0x00, 0x0B, 0x08, 0x01, 0x02, 0x03, 0x04, 0x01, 0x01, 0x11, 0x00]
        let image = try #require(Image(data: Data([0xFF, 0xD8] + app0 + huffmanTable + frame)))
        #expect(image.format == "JPEG" && image.width == 0x0304 && image.height == 0x0102)
    }

    @Test("No prefix of a header is an image, and none ends the process")
    func truncated() {
        let png: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 3,
        ]
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x03, 0x00, 0x02]
        for header in [png, jpeg] {
            #expect(Image(data: Data(header))?.width == 2)
            for count in header.indices { #expect(Image(data: Data(header.prefix(count))) == nil) }
        }
    }

    @Test("A slice of a larger buffer is read from its own start")
    func slice() throws {
        let jpeg: [UInt8] = [1, 2, 3, 0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x03, 0x00, 0x02]
        #expect(Image(data: Data(jpeg).dropFirst(3))?.height == 3)
    }
}
