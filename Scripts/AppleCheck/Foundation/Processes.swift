// Source: https://developer.apple.com/documentation/foundation/nslocking
public protocol NSLocking {
    func lock()
    func unlock()
}

// Source: https://developer.apple.com/documentation/foundation/nslocking/withlock(_:)
@available(macOS 10.10, iOS 8, *)
extension NSLocking {
    public func withLock<R>(_ body: () throws -> R) rethrows -> R
}

// Source: https://developer.apple.com/documentation/foundation/nslock
open class NSLock: NSObject, NSLocking, @unchecked Sendable {
    public override init()
    open func lock()
    open func unlock()
    open func `try`() -> Bool
}

// Source: https://developer.apple.com/documentation/foundation/operationqueue
@available(macOS 10.5, iOS 2, *)
open class OperationQueue: NSObject, @unchecked Sendable {
    public override init()
    open class var main: OperationQueue { get }
    open class var current: OperationQueue? { get }
    open var name: String? { get set }
    open var maxConcurrentOperationCount: Int { get set }
    open var isSuspended: Bool { get set }
    @available(macOS 10.10, iOS 8, *)
    unowned(unsafe) open var underlyingQueue: DispatchQueue? { get set }
    @available(macOS 10.6, iOS 4, *)
    open func addOperation(_ block: @escaping @Sendable () -> Void)
    @available(macOS 10.15, iOS 13, *)
    open func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void)
}

// Source: https://developer.apple.com/documentation/foundation/processinfo
open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { get }
    open var environment: [String: String] { get }
    open var processIdentifier: Int32 { get }
    open var activeProcessorCount: Int { get }
    open var processorCount: Int { get }
}

// Source: https://developer.apple.com/documentation/foundation/nscondition
@available(macOS 10.5, iOS 2, *)
open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
    public override init()
    open func lock()
    open func unlock()
    open func wait()
    open func wait(until limit: Date) -> Bool
    open func signal()
    open func broadcast()
}

// Source: https://developer.apple.com/documentation/foundation/thread
open class Thread: NSObject, @unchecked Sendable {
    open class var isMainThread: Bool { get }
    open class var current: Thread { get }
    // Source: https://developer.apple.com/documentation/foundation/thread/detachnewthread(_:)
    @available(macOS 10.12, iOS 10, *)
    open class func detachNewThread(_ block: @escaping @Sendable () -> Void)
}
