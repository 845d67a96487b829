import Foundation
import Testing

@testable import URLSessionResult
@testable import TestSupport

/// A file that is renamed to its destination.
struct FilePlacementTests {
    private let folder = TemporaryFolder()

    @Test("A file beside its destination replaces what is there, and leaves nothing behind", arguments: [true, false])
    func renamed(replaces: Bool) throws {
        let destination = folder.file("album", replaces ? Data("old".utf8) : nil)
        let file = folder.file("album.part", Data("new".utf8))
        #expect(try file.renamed(to: destination) == destination)
        #expect(try Data(contentsOf: destination) == Data("new".utf8))
        #expect(folder.contents == ["album"])
    }

    @Test("If its destination has become a folder meanwhile, it stays")
    func folderInPlace() throws {
        let destination = folder.file("album")
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
        let file = folder.file("album.part", Data("new".utf8))
        let error = #expect(throws: CocoaError.self) { try file.renamed(to: destination) }
        #expect(error?.userInfo[NSURLErrorKey] as? URL == destination)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(folder.contents == ["album", "album.part"])
    }
}
