// Source: https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
@available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {}
