// Tools/apple_run.py makes a protocol of each method for the model of URLSession, with the same declaration.
// Selectors and declarations are those of dotnet/macios, src/foundation.cs, too.

// Source: https://developer.apple.com/documentation/foundation/urlsessiondelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    @objc optional func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    @objc optional func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:didcreatetask:)
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @objc optional func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didfinishcollecting:)
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    @objc optional func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
@objc public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    @objc optional func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondownloaddelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
@objc public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    // Not optional on Apple's platforms.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
    @objc optional func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
}
