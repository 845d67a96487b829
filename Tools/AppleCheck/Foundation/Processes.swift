// Source: https://developer.apple.com/documentation/foundation/nslocking
public protocol NSLocking {
    func lock()
    func unlock()
}

// Source: https://developer.apple.com/documentation/foundation/nslocking/withlock(_:)
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension NSLocking {
    public func withLock<R>(_ body: () throws -> R) rethrows -> R
}

// Source: https://developer.apple.com/documentation/foundation/nslock
open class NSLock: NSObject, NSLocking, @unchecked Sendable {
    public override init()
    open func lock()
    open func unlock()
}

// Source: https://developer.apple.com/documentation/foundation/operationqueue
@available(macOS 10.5, iOS 2, tvOS 9, watchOS 2, *)
open class OperationQueue: NSObject, @unchecked Sendable {
    @available(macOS 10.6, iOS 4, tvOS 9, watchOS 2, *)
    open func addOperation(_ block: @escaping @Sendable () -> Void)
}

// Source: https://developer.apple.com/documentation/foundation/processinfo
open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { get }
    open var activeProcessorCount: Int { get }
}

// Source: https://developer.apple.com/documentation/foundation/thread
open class Thread: NSObject, @unchecked Sendable {
    // Source: https://developer.apple.com/documentation/foundation/thread/detachnewthread(_:)
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    @preconcurrency open class func detachNewThread(_ block: @escaping @Sendable () -> Void)
}
