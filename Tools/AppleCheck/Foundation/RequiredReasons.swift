// An app may use these only with a reason in the privacy manifest of the app or package. This package has none.
// Source: https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api

@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
extension ProcessInfo {
    public var systemUptime: TimeInterval { get }
}

@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
extension FileAttributeKey {
    public static let creationDate: FileAttributeKey
    public static let modificationDate: FileAttributeKey
    public static let systemFreeSize: FileAttributeKey
    public static let systemSize: FileAttributeKey
}

@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
extension URLResourceKey {
    public static let contentModificationDateKey: URLResourceKey
    public static let creationDateKey: URLResourceKey
    public static let volumeAvailableCapacityForImportantUsageKey: URLResourceKey
    public static let volumeAvailableCapacityForOpportunisticUsageKey: URLResourceKey
    public static let volumeAvailableCapacityKey: URLResourceKey
    public static let volumeTotalCapacityKey: URLResourceKey
}

@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
open class UserDefaults: NSObject {
    open class var standard: UserDefaults { get }
}
