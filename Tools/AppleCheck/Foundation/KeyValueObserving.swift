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
