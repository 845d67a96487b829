// Source: https://developer.apple.com/documentation/dispatch/dispatchqueue
@available(macOS 10.6, iOS 4, *)
public class DispatchQueue: @unchecked Sendable {
    public convenience init(label: String)
    // Source: https://developer.apple.com/documentation/dispatch/dispatchqueue/setspecific(key:value:)
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?)
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T?
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void)
}

// Source: https://developer.apple.com/documentation/dispatch/dispatchspecifickey
public final class DispatchSpecificKey<T>: @unchecked Sendable {
    public init()
}
