import FoundationNetworking

// Source: https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
    public private(set) var identifier: String?
    open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    open var timeoutIntervalForRequest: TimeInterval = 60
    open var timeoutIntervalForResource: TimeInterval = 7 * 24 * 60 * 60
    open var waitsForConnectivity = false
    open var allowsCellularAccess = true
    open var usesClassicLoadingMode = true
    open var httpAdditionalHeaders: [AnyHashable: Any]?
    /// Six on a Mac, by the page of the property.
    open var httpMaximumConnectionsPerHost = 6
    open var httpShouldSetCookies = true
    open var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    open var httpCookieStorage: HTTPCookieStorage?
    open var urlCredentialStorage: URLCredentialStorage?
    open var urlCache: URLCache?
    /// Those of the system, which follow the caller's, are no classes here.
    open var protocolClasses: [AnyClass]? = []

    private init(storagesOf other: FoundationNetworking.URLSessionConfiguration, identifier: String? = nil) {
        httpCookieStorage = other.httpCookieStorage
        urlCredentialStorage = other.urlCredentialStorage
        urlCache = other.urlCache
        self.identifier = identifier
    }

    open class var `default`: URLSessionConfiguration { URLSessionConfiguration(storagesOf: .default) }
    open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration(storagesOf: .ephemeral) }
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        URLSessionConfiguration(storagesOf: .default, identifier: identifier)
    }

    open func copy(with zone: NSZone? = nil) -> Any { copied() }

    func copied() -> URLSessionConfiguration {
        let copy = URLSessionConfiguration(storagesOf: .ephemeral, identifier: identifier)
        copy.requestCachePolicy = requestCachePolicy
        copy.timeoutIntervalForRequest = timeoutIntervalForRequest
        copy.timeoutIntervalForResource = timeoutIntervalForResource
        copy.waitsForConnectivity = waitsForConnectivity
        copy.allowsCellularAccess = allowsCellularAccess
        copy.usesClassicLoadingMode = usesClassicLoadingMode
        copy.httpAdditionalHeaders = httpAdditionalHeaders
        copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        copy.httpShouldSetCookies = httpShouldSetCookies
        copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
        copy.httpCookieStorage = httpCookieStorage
        copy.urlCredentialStorage = urlCredentialStorage
        copy.urlCache = urlCache
        copy.protocolClasses = protocolClasses
        return copy
    }
}
