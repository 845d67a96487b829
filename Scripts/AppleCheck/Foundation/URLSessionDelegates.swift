// Apple's delegate methods are optional requirements, which only Objective-C has. Here each has a default implementation.
// Source: https://developer.apple.com/documentation/foundation/urlsessiondelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

extension URLSessionDataDelegate {
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
