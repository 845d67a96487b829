#if canImport(Darwin)

import Foundation

extension StagingPlace {
    /// Makes a place in a folder that the system chooses, or beside the destination if the system offers none.
    ///
    /// The App Sandbox on a Mac may grant access to a destination and not to its folder, for example after a save
    /// panel. There, Foundation's own atomic writing uses this folder (`createProtectedTemporaryFile`):
    /// https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/Data/Data%2BWriting.swift
    ///
    /// The folder is on the volume of the URL that `appropriateFor:` is given:
    /// https://developer.apple.com/documentation/foundation/filemanager/url(for:in:appropriatefor:create:)
    package init(for destination: URL) {
        self = (try? .inReplacementFolder(for: destination)) ?? .beside(destination)
    }

    /// Gives the file the mode of the file that it replaces, or the mode of a new file. Until now, only this user may open it.
    package func setMode(replacing destination: URL) {
        guard let mode = destination.resolvingSymlinksInPath().mode ?? modeOfNewFile(beside: destination) else {
            return
        }
        try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    /// The mode of a new file. Nil in a sandbox that allows no other file beside the destination.
    private func modeOfNewFile(beside destination: URL) -> Any? {
        let newFile = StagingPlace.beside(destination).file
        guard FileManager.default.createFile(atPath: newFile.path, contents: nil) else { return nil }
        defer { try? FileManager.default.removeItem(at: newFile) }
        return newFile.mode
    }
}

extension URL {
    /// Who may read, write and execute the file, or nil if there is none.
    fileprivate var mode: Any? { try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] }

    /// Whether the URL is that of a regular file or of a link to one.
    package var isRegularFile: Bool {
        get throws {
            guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            return try resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
    }
}

extension Data.ReadingOptions {
    /// Maps a file unless its pages may become unreadable later.
    ///
    /// With `alwaysMapped`, reading a page can crash after the device was locked (a file with complete protection) or
    /// after its volume was removed. `mappedIfSafe` maps only "if possible and safe":
    /// https://developer.apple.com/documentation/foundation/nsdata/readingoptions/mappedifsafe
    ///
    /// Such files are not safe to Foundation (`shouldMapFileDescriptor`):
    /// https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationEssentials/Data/Data%2BReading.swift
    static let mapped = Data.ReadingOptions.mappedIfSafe
}

#endif
