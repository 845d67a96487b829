// Source: https://developer.apple.com/documentation/foundation/urlsession
@available(macOS 10.9, iOS 7, *)
open class URLSession: NSObject, @unchecked Sendable {
    public init(configuration: URLSessionConfiguration)
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?)
    open class var shared: URLSession { get }
    open var configuration: URLSessionConfiguration { get }
    open var delegate: (any URLSessionDelegate)? { get }
    open var delegateQueue: OperationQueue { get }
    open func finishTasksAndInvalidate()
    open func invalidateAndCancel()
    open var sessionDescription: String? { get set }
    // Source: https://developer.apple.com/documentation/foundation/urlsession/getalltasks(completionhandler:)
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void)
    // Source: https://developer.apple.com/documentation/foundation/urlsession/alltasks
    open var allTasks: [URLSessionTask] { get async }

    // Without a handler: the session's delegate, or the task's own, is told.
    open func dataTask(with request: URLRequest) -> URLSessionDataTask
    open func dataTask(with url: URL) -> URLSessionDataTask
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask
    open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask
    open func downloadTask(with url: URL) -> URLSessionDownloadTask
    open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask
    // Source: https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:)
    @available(macOS 14, iOS 17, *)
    open func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask
}

// With a handler.
// Source: https://developer.apple.com/documentation/foundation/urlsession/datatask(with:completionhandler:)-e6xv
@available(macOS 10.9, iOS 7, *)
extension URLSession {
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask
    public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask
    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask
    public func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask
    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
    public func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
    public func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
    // Source: https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:completionhandler:)
    @available(macOS 14, iOS 17, *)
    public func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask
}

// With `await`.
// Source: https://developer.apple.com/documentation/foundation/urlsession/data(for:delegate:)
@available(macOS 12, iOS 15, *)
extension URLSession {
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse)
    public func data(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse)
    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse)
    public func download(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse)
    // Source: https://developer.apple.com/documentation/foundation/urlsession/bytes(for:delegate:)
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URLSession.AsyncBytes, URLResponse)
    public func bytes(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URLSession.AsyncBytes, URLResponse)

    // Source: https://developer.apple.com/documentation/foundation/urlsession/asyncbytes
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public var task: URLSessionDataTask { get }
        public func makeAsyncIterator() -> URLSession.AsyncBytes.Iterator
        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8?
        }
    }
}

@available(macOS 10.9, iOS 7, *)
extension URLSession {
    // Source: https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
    public enum AuthChallengeDisposition: Sendable {
        case useCredential
        case performDefaultHandling
        case cancelAuthenticationChallenge
        case rejectProtectionSpace
    }

    // Source: https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
    public enum ResponseDisposition: Sendable {
        case cancel
        case allow
        case becomeDownload
        case becomeStream
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsessionconfiguration
@available(macOS 10.9, iOS 7, *)
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { get }
    open class var ephemeral: URLSessionConfiguration { get }
    open var timeoutIntervalForRequest: TimeInterval { get set }
    open var timeoutIntervalForResource: TimeInterval { get set }
    open var requestCachePolicy: NSURLRequest.CachePolicy { get set }
    open var httpAdditionalHeaders: [AnyHashable: Any]? { get set }
    open var httpMaximumConnectionsPerHost: Int { get set }
    open var httpShouldSetCookies: Bool { get set }
    open var httpCookieStorage: HTTPCookieStorage? { get set }
    open var urlCredentialStorage: URLCredentialStorage? { get set }
    open var urlCache: URLCache? { get set }
    open var protocolClasses: [AnyClass]? { get set }
    // Source: https://developer.apple.com/documentation/foundation/urlsessionconfiguration/usesclassicloadingmode
    @available(macOS 15.4, iOS 18.4, *)
    open var usesClassicLoadingMode: Bool { get set }
}

// Source: https://developer.apple.com/documentation/foundation/urlcache
open class URLCache: NSObject, @unchecked Sendable {
    public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?)
    // Source: https://developer.apple.com/documentation/foundation/urlcache/init(memorycapacity:diskcapacity:directory:)
    @available(macOS 10.15, iOS 13, *)
    public init(memoryCapacity: Int, diskCapacity: Int, directory directoryURL: URL? = nil)
}

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
    open class func registerClass(_ protocolClass: AnyClass) -> Bool
    open class func unregisterClass(_ protocolClass: AnyClass)
}

// Source: https://developer.apple.com/documentation/foundation/cachedurlresponse
open class CachedURLResponse: NSObject, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlcache/storagepolicy
extension URLCache {
    public enum StoragePolicy: Sendable {
        case allowed
        case allowedInMemoryOnly
        case notAllowed
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlprotocolclient
public protocol URLProtocolClient: NSObjectProtocol {
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
}
