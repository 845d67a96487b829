// Source: https://developer.apple.com/documentation/dispatch/dispatchqueue
@available(macOS 10.6, iOS 4, *)
public class DispatchQueue: @unchecked Sendable {
    public convenience init(label: String)
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/global(qos:)
    @available(macOS 10.10, iOS 8, *)
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/async(group:qos:flags:execute:)
    @preconcurrency public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void)
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/asyncafter(deadline:qos:flags:execute:)
    @available(macOS 10.10, iOS 8, *)
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void)
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/setspecific(key:value:)
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?)
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T?
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void)
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchtime
@available(macOS 10.10, iOS 8, *)
public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime
}

// Source: https://developer.apple.com/documentation/dispatch/+(_:_:)-6fmcc
@available(macOS 10.10, iOS 8, *)
public func + (time: DispatchTime, seconds: Double) -> DispatchTime

// Source: https://developer.apple.com/documentation/dispatch/dispatchspecifickey
public final class DispatchSpecificKey<T>: @unchecked Sendable {
    public init()
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchqos
@available(macOS 10.10, iOS 8, *)
public struct DispatchQoS: Sendable {
    public static let unspecified: DispatchQoS
    public enum QoSClass: Sendable {
        case background
        case utility
        case `default`
        case userInitiated
        case userInteractive
        case unspecified
    }
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchworkitemflags
public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt)
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchgroup
@available(macOS 10.6, iOS 4, *)
public class DispatchGroup: @unchecked Sendable {
    public init()
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchsemaphore
@available(macOS 10.6, iOS 4, *)
public class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int)
    @discardableResult public func signal() -> Int
    public func wait()
}
