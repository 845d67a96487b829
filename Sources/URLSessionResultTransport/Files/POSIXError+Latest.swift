import Foundation

extension POSIXError {
    /// Why the latest call of the system failed.
    package static var latest: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
