// Core Foundation, which Foundation exports.
// Source: https://developer.apple.com/documentation/corefoundation/cfrunloop
public class CFRunLoop {}

// Source: https://developer.apple.com/documentation/corefoundation/cfrunloopmode
public struct CFRunLoopMode: RawRepresentable, Sendable {
    public var rawValue: CFString { get }
    public init(rawValue: CFString)
    public static let defaultMode: CFRunLoopMode!
}

// Source: https://developer.apple.com/documentation/corefoundation/cfstring
public class CFString {}

// Source: https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject

public func CFRunLoopGetCurrent() -> CFRunLoop!
// Source: https://developer.apple.com/documentation/corefoundation/cfrunloopperformblock(_:_:_:)
@available(macOS 10.6, iOS 4, tvOS 9, watchOS 2, *)
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!)
public func CFRunLoopWakeUp(_ rl: CFRunLoop!)
