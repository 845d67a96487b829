// Source: https://developer.apple.com/documentation/foundation/urlprotocol
open class URLProtocol: NSObject {
    public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?)
    open var client: (any URLProtocolClient)? { get }
    open var request: URLRequest { get }
    open var task: URLSessionTask? { get }
    open class func canInit(with request: URLRequest) -> Bool
    open class func canonicalRequest(for request: URLRequest) -> URLRequest
    open func startLoading()
    open func stopLoading()
}

// Source: https://developer.apple.com/documentation/foundation/urlprotocolclient
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    // Source: https://developer.apple.com/documentation/foundation/urlprotocolclient/urlprotocol(_:wasredirectedto:redirectresponse:)
    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
}

// Source: https://developer.apple.com/documentation/foundation/cachedurlresponse
open class CachedURLResponse: NSObject, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlcache
open class URLCache: NSObject, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlcache/storagepolicy
extension URLCache {
    public enum StoragePolicy: Sendable {
        case notAllowed
    }
}
