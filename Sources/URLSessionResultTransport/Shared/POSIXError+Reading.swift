import Foundation

extension POSIXError {
    /// The error of Foundation for a file that cannot be read.
    func reading(_ file: URL) -> CocoaError {
        let readingCode: CocoaError.Code =
            switch code {
            case .ENOENT, .ENOTDIR: .fileReadNoSuchFile
            case .EACCES, .EPERM: .fileReadNoPermission
            default: .fileReadUnknown
            }
        return CocoaError(readingCode, userInfo: [NSURLErrorKey: file, NSUnderlyingErrorKey: self])
    }
}
