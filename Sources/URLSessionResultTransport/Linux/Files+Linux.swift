#if canImport(FoundationNetworking)

import Foundation

extension StagingPlace {
    /// Makes a place beside the destination. Temporary folders are often on another volume.
    package init(for destination: URL) {
        self = .beside(destination)
    }

    /// Gives the file the mode of the file that it replaces, or the mode of a new file. Until now, only this user may open it.
    package func setMode(replacing destination: URL) {
        let newFile = StagingPlace.beside(destination).file
        let mode = SystemCalls.mode(ofFileAt: destination.path) ?? SystemCalls.mode(ofNewFileAt: newFile.path)
        if let mode { SystemCalls.setMode(mode, ofFileAt: file.path) }
    }
}

extension URL {
    /// Whether the URL is that of a regular file or of a link to one.
    package var isRegularFile: Bool {
        get throws { try lengthOfRegularFile != nil }
    }

    /// The length of a regular file in bytes, or of the one that a link leads to. Nil if it is something else.
    ///
    /// A system call follows the link: some links lead to something without a path, as `/dev/stdin` to a pipe.
    var lengthOfRegularFile: Int? {
        get throws {
            guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            do {
                return try SystemCalls.lengthOfRegularFile(at: path)
            } catch {
                throw error.reading(self)
            }
        }
    }
}

extension Data.ReadingOptions {
    // Workaround: mappedFile
    /// Maps a file. On Linux, `mappedIfSafe` never does (swift-foundation, `shouldMapFileDescriptor`).
    static let mapped = Data.ReadingOptions.alwaysMapped
}

#endif
