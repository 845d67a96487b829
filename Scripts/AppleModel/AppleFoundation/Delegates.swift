// Without Objective-C, each optional method is a protocol of its own. `apple_run.py` adds them to the classes of the copy that have the
// methods. So a method that is not declared exactly as here does not compile.
//
// Selectors and declarations are those of dotnet/macios, src/foundation.cs.

// Source: https://developer.apple.com/documentation/foundation/urlsessiondelegate
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}
// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
public protocol URLSessionTaskDelegate: URLSessionDelegate {}
// Source: https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}
// Source: https://developer.apple.com/documentation/foundation/urlsessiondownloaddelegate
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {}

public protocol _DidBecomeInvalid: Sendable {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

public protocol _DidReceiveSessionChallenge: Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}

public protocol _DidCreateTask: Sendable {
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)
}

public protocol _DidReceiveChallenge: Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}

public protocol _WillRedirect: Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

public protocol _NeedNewBodyStream: Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
}

public protocol _DidSendBodyData: Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
}

public protocol _DidFinishCollecting: Sendable {
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
}

public protocol _DidComplete: Sendable {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol _DidReceiveResponse: Sendable {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
}

public protocol _DidReceiveData: Sendable {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

public protocol _DidFinishDownloading: Sendable {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
}

public protocol _DidWriteData: Sendable {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
}
