#if canImport(FoundationNetworking)

import Foundation

extension StagingPlace {
    /// Makes a place beside the destination. Temporary folders are often on another volume.
    package init(for destination: URL) {
        self = .beside(destination)
    }
}

extension Data.ReadingOptions {
    // Workaround: mappedFile
    /// Maps a file. On Linux, `mappedIfSafe` never does (swift-foundation, `shouldMapFileDescriptor`).
    static let mapped = Data.ReadingOptions.alwaysMapped
}

#endif
