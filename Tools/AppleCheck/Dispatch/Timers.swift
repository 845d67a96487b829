// Source: https://developer.apple.com/documentation/dispatch/dispatchsource
public class DispatchSource {
    // Source: https://developer.apple.com/documentation/dispatch/dispatchsource/maketimersource(flags:queue:)
    public class func makeTimerSource(
        flags: DispatchSource.TimerFlags = [], queue: DispatchQueue? = nil
    ) -> any DispatchSourceTimer

    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt)
    }
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol
public protocol DispatchSourceProtocol: AnyObject {
    func cancel()
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    func activate()
}

extension DispatchSourceProtocol {
    // Source: https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol/seteventhandler(qos:flags:handler:)
    @preconcurrency public func setEventHandler(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        handler: (@Sendable @convention(block) () -> Void)?)
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchsourcetimer
public protocol DispatchSourceTimer: DispatchSourceProtocol {}

extension DispatchSourceTimer {
    // Source: https://developer.apple.com/documentation/dispatch/dispatchsourcetimer/schedule(deadline:repeating:leeway:)
    public func schedule(
        deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0))
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchtimeinterval
public enum DispatchTimeInterval: Sendable {
    case nanoseconds(Int)
    case never
}
