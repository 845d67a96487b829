// Source: https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {}
