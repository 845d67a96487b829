// What a method of Objective-C takes and returns.
// Source: https://developer.apple.com/documentation/foundation/data
extension Data: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSData
    public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?)
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data
}

// Source: https://developer.apple.com/documentation/foundation/urlrequest
extension URLRequest: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURLRequest
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?)
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) -> Bool
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest
}

// Source: https://developer.apple.com/documentation/foundation/url
extension URL: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURL
    public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?)
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL
}

// What the compiler calls for `error as NSError`, and where Objective-C gives an error.
public func _convertErrorToNSError(_ error: any Error) -> NSError
public func _convertNSErrorToError(_ error: NSError?) -> any Error

// Source: https://developer.apple.com/documentation/foundation/nsurl
open class NSURL: NSObject, @unchecked Sendable {}
