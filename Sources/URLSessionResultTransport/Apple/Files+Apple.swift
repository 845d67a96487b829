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
