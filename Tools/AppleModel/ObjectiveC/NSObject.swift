// The compiler knows `NSObject` by its name and that of this module: a `Sendable` class may inherit from it.

import Foundation

/// A message. Without Objective-C, it has to know itself which objects have a method for it.
public struct Selector: Sendable {
    public let name: String
    private let hasMethod: @Sendable (AnyObject) -> Bool

    public init(_ name: String, hasMethod: @escaping @Sendable (AnyObject) -> Bool) {
        self.name = name
        self.hasMethod = hasMethod
    }

    func isMethod(of object: AnyObject) -> Bool { hasMethod(object) }
}

public protocol NSObjectProtocol: Foundation.NSObjectProtocol {
    func responds(to selector: Selector!) -> Bool
    func forwardingTarget(for selector: Selector!) -> Any?
}

// Source: https://developer.apple.com/documentation/objectivec/nsobject-swift.class/forwardingtarget(for:)
open class NSObject: Foundation.NSObject, NSObjectProtocol {
    open func responds(to selector: Selector!) -> Bool { selector.isMethod(of: self) }
    open func forwardingTarget(for selector: Selector!) -> Any? { nil }
}

// Source: https://developer.apple.com/documentation/objectivec/autoreleasepool(invoking:)
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
