// Source: https://developer.apple.com/documentation/foundation/urlsession
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
open class URLSession: NSObject, @unchecked Sendable {
    public init(configuration: URLSessionConfiguration)
    // Source: https://developer.apple.com/documentation/foundation/urlsession/init(configuration:delegate:delegatequeue:)
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?)
    // Source: https://developer.apple.com/documentation/foundation/urlsession/finishtasksandinvalidate()
    open func finishTasksAndInvalidate()
    open var delegateQueue: OperationQueue { get }
    open func dataTask(with request: URLRequest) -> URLSessionDataTask
}

// With a handler.
// Source: https://developer.apple.com/documentation/foundation/urlsession/datatask(with:completionhandler:)-e6xv
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
extension URLSession {
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask
    // Source: https://developer.apple.com/documentation/foundation/urlsession/uploadtask(with:from:)
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask
    // Source: https://developer.apple.com/documentation/foundation/urlsession/uploadtask(with:fromfile:)
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask
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
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
    // Source: https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:completionhandler:)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    public func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask
}

@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
extension URLSession {
    // Source: https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
    @objc public enum ResponseDisposition: Int, Sendable {
        case cancel, allow, becomeDownload, becomeStream
    }

    // Source: https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
    @objc public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsessionconfiguration
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var ephemeral: URLSessionConfiguration { get }
    // Source: https://developer.apple.com/documentation/foundation/urlsessionconfiguration/identifier
    open var identifier: String? { get }
    open var httpAdditionalHeaders: [AnyHashable: Any]? { get set }
    open var protocolClasses: [AnyClass]? { get set }
    // Source: https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforrequest
    open var timeoutIntervalForRequest: TimeInterval { get set }
}
