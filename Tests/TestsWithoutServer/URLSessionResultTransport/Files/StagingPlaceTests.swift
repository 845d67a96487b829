import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// One after another, because the system gives the name of a folder that was removed to the next one.
@Suite(.serialized)
struct StagingPlaceTests {
    private let folder = TemporaryFolder()
    private let systemsFolder = SystemsFolder()

    /// On Linux, Foundation puts the folders of Apple's place into another one, which it leaves.
    private final class SystemsFolder {
        deinit {
            #if canImport(FoundationNetworking)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("TemporaryItems")
            SystemCalls.removeEmptyFolder(folder.path)
            #endif
        }
    }

    /// The place that Linux uses, and the one of Apple's platforms.
    private static let makers: [@Sendable (URL) throws -> StagingPlace] = [
        { .beside($0) },
        { try .inReplacementFolder(for: $0) },
    ]

    @Test("A place can be written, is not the destination, and leaves nothing behind", arguments: 0...1)
    func removed(maker: Int) throws {
        let destination = folder.file("album")
        let place = try Self.makers[maker](destination)
        try Data("new".utf8).write(to: place.file)
        #expect(!FileManager.default.fileExists(atPath: destination.path))
        place.remove()
        #expect(!FileManager.default.fileExists(atPath: place.file.path))
        #expect(folder.contents == [])
        // The folder that was created for the file is gone, too: nothing can be written there.
        if maker == 1 { #expect(throws: (any Error).self) { try Data().write(to: place.file) } }
    }

    @Test("Two places for one destination differ", arguments: 0...1)
    func distinct(maker: Int) throws {
        let destination = folder.file("album")
        let places = try (0..<2).map { _ in try Self.makers[maker](destination) }
        defer { for place in places { place.remove() } }
        #expect(places[0].file != places[1].file)
    }
}
