// Source: https://developer.apple.com/documentation/objectivec/nsobject-swift.class
open class NSObject: NSObjectProtocol, Hashable {
    public init()
    public static func == (left: NSObject, right: NSObject) -> Bool
    public func hash(into hasher: inout Hasher)
    // Source: https://developer.apple.com/documentation/objectivec/nsobject-swift.class/forwardingtarget(for:)
    open func forwardingTarget(for aSelector: Selector!) -> Any?
    open func responds(to aSelector: Selector!) -> Bool
    // Source: https://developer.apple.com/documentation/objectivec/nsobject-swift.class/copy()
    open func copy() -> Any
}

// Source: https://developer.apple.com/documentation/objectivec/selector
public struct Selector: Sendable {}

// Source: https://developer.apple.com/documentation/objectivec/objcbool
public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public init(booleanLiteral value: Bool)
    public var boolValue: Bool { get }
}

// Source: https://developer.apple.com/documentation/objectivec/nsobjectprotocol
public protocol NSObjectProtocol: AnyObject {
    func responds(to aSelector: Selector!) -> Bool
}

// Key-value observing.
// Source: https://developer.apple.com/documentation/objectivec/nsobject-swift.class/observe(_:options:changehandler:)
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public protocol _KeyValueCodingAndObserving {}

extension NSObject: _KeyValueCodingAndObserving {}

@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
extension _KeyValueCodingAndObserving {
    @preconcurrency public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation
}

// Source: https://developer.apple.com/documentation/foundation/nskeyvalueobservation
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public class NSKeyValueObservation: NSObject {}

// Source: https://developer.apple.com/documentation/foundation/nskeyvalueobservedchange
@available(macOS 10.10, iOS 8, tvOS 9, watchOS 2, *)
public struct NSKeyValueObservedChange<Value> {}

// Source: https://developer.apple.com/documentation/foundation/nskeyvalueobservingoptions
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt)
}

// Source: https://developer.apple.com/documentation/objectivec/autoreleasepool(invoking:)
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result
