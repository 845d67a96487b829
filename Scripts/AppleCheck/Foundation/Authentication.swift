// Source: https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {
    public init(user: String, password: String, persistence: URLCredential.Persistence)
    open var user: String? { get }
    open var password: String? { get }
    public enum Persistence: Sendable {
        case none
        case forSession
        case permanent
        case synchronizable
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlcredentialstorage
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    open class var shared: URLCredentialStorage { get }
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] { get }
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]?
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential?
    open func set(_ credential: URLCredential, for space: URLProtectionSpace)
    open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace)
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace)
}

// Source: https://developer.apple.com/documentation/foundation/urlprotectionspace
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?)
    open var host: String { get }
    open var port: Int { get }
    open var `protocol`: String? { get }
    open var realm: String? { get }
    open var authenticationMethod: String { get }
}

public let NSURLProtectionSpaceHTTP: String
public let NSURLAuthenticationMethodHTTPBasic: String
public let NSURLAuthenticationMethodHTTPDigest: String
public let NSURLAuthenticationMethodServerTrust: String

// Source: https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    public init(
        protectionSpace space: URLProtectionSpace, proposedCredential credential: URLCredential?,
        previousFailureCount: Int, failureResponse response: URLResponse?, error: (any Error)?,
        sender: any URLAuthenticationChallengeSender)
    open var protectionSpace: URLProtectionSpace { get }
    open var proposedCredential: URLCredential? { get }
    open var previousFailureCount: Int { get }
    open var failureResponse: URLResponse? { get }
    open var error: (any Error)? { get }
    open var sender: (any URLAuthenticationChallengeSender)? { get }
}

// Source: https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender
public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    func cancel(_ challenge: URLAuthenticationChallenge)
}
