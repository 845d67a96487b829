import Foundation

extension POSIXError {
    /// Why the latest call of the system failed.
    static var latest: POSIXError { POSIXError(SystemCalls.latestErrorCode) }
}
