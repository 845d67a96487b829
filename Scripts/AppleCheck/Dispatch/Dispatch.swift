// Source: https://developer.apple.com/documentation/dispatch/dispatchqueue
@available(macOS 10.6, iOS 4, *)
public class DispatchQueue: @unchecked Sendable {
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void)
}
