import Foundation
import Testing

@testable import URLSessionResult

/// What is said of a file that could not be written.
struct DestinationErrorTests {
    private static let missing = CocoaError(
        .fileNoSuchFile, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOENT), NSFilePathErrorKey: "/moved"])

    @Test(
        "The error names the destination, and missing permission or a read-only volume has a code of its own",
        arguments: [
            (POSIXError(.EACCES), .fileWriteNoPermission, .EACCES), (POSIXError(.EISDIR), .fileWriteUnknown, .EISDIR),
            (POSIXError(.EROFS), .fileWriteVolumeReadOnly, .EROFS),
            (missing, .fileNoSuchFile, .ENOENT),
            (CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: missing]), .fileWriteUnknown, .ENOENT),
        ] as [(any Error, CocoaError.Code, POSIXErrorCode)])
    func naming(error: any Error, code: CocoaError.Code, reason: POSIXErrorCode) throws {
        let destination = URL(fileURLWithPath: "/destination")
        let named = try #require(error.naming(destination) as? CocoaError)
        #expect(named.code == code)
        #expect(named.url == destination)
        #expect((named.underlying as? POSIXError)?.code == reason)
    }
}
