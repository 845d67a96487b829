// Source: https://developer.apple.com/documentation/objectivec/selector
public struct Selector: Sendable {}

// Source: https://developer.apple.com/documentation/objectivec/objcbool
public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public init(booleanLiteral value: Bool)
    public var boolValue: Bool { get }
}

// Source: https://developer.apple.com/documentation/objectivec/autoreleasepool(invoking:)
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result
