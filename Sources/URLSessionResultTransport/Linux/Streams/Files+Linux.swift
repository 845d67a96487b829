#if canImport(FoundationNetworking)

import Foundation

extension StagingPlace {
    /// Makes a place beside the destination. Temporary folders are often on another volume.
    package init(for destination: URL) {
        self = .beside(destination)
    }
}

extension Data.ReadingOptions {
    /// Maps a file. On Linux, `mappedIfSafe` never does (swift-foundation, `shouldMapFileDescriptor`).
    static let mapped = Data.ReadingOptions.alwaysMapped
}

// Workaround: `URLSession` reads a file that may be mapped (`mappedIfSafe`)
// Instead: the library maps it
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.mappedFile on 6.3.1; on main, the sources of swift-foundation
// Upstream: not reported
// May go: `mapped`

#endif
