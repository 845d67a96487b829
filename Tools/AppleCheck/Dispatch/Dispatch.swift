// Source: https://developer.apple.com/documentation/dispatch/dispatchqueue
@available(macOS 10.6, iOS 4, tvOS 9, watchOS 2, *)
public class DispatchQueue: @unchecked Sendable {
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/init(label:qos:attributes:autoreleasefrequency:target:)
    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
        autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil)

    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64)
    }

    public enum AutoreleaseFrequency: Sendable {
        case inherit
    }

    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/global(qos:)
    @available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/async(group:qos:flags:execute:)
    @preconcurrency public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void)
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/asyncafter(deadline:qos:flags:execute:)
    @available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void)
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void)
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchtime
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct DispatchTime: Comparable, Sendable {
    public static func < (left: DispatchTime, right: DispatchTime) -> Bool
    public static func == (left: DispatchTime, right: DispatchTime) -> Bool
    public static func now() -> DispatchTime
    public static let distantFuture: DispatchTime
    public var uptimeNanoseconds: UInt64 { get }
}

// Source: https://developer.apple.com/documentation/dispatch/+(_:_:)-6fmcc
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public func + (time: DispatchTime, seconds: Double) -> DispatchTime

// Source: https://developer.apple.com/documentation/dispatch/dispatchqos
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct DispatchQoS: Sendable {
    public static let unspecified: DispatchQoS
    public enum QoSClass: Sendable {
        case `default`
    }
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchworkitemflags
public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt)
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchgroup
@available(macOS 10.6, iOS 4, tvOS 9, watchOS 2, *)
public class DispatchGroup: @unchecked Sendable {}
