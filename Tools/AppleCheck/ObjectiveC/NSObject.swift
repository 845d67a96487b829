// Where the compiler knows Objective-C, NSObject.h takes the place of this file.

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

// Source: https://developer.apple.com/documentation/objectivec/nsobjectprotocol
public protocol NSObjectProtocol: AnyObject {
    func responds(to aSelector: Selector!) -> Bool
}
