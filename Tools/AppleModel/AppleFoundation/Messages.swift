/// A message to a delegate, and the protocol that has its method.
struct Message<Method: Sendable>: Sendable {
    let selector: Selector

    init(_ selector: String, _ method: Method.Type) { self.selector = Selector(selector) { $0 is Method } }
}

/// The messages that the model sends. `apple_run.py` makes the protocols.
enum Messages {
    static let invalid = Message("URLSession:didBecomeInvalidWithError:", (any _DidBecomeInvalidWithError).self)
    static let creation = Message("URLSession:didCreateTask:", (any _DidCreateTask).self)
    static let challenge = Message(
        "URLSession:task:didReceiveChallenge:completionHandler:", (any _TaskDidReceiveCompletionHandler).self)
    static let redirect = Message(
        "URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:",
        (any _TaskWillPerformHTTPRedirectionNewRequestCompletionHandler).self)
    static let metrics = Message("URLSession:task:didFinishCollectingMetrics:", (any _TaskDidFinishCollecting).self)
    static let completion = Message("URLSession:task:didCompleteWithError:", (any _TaskDidCompleteWithError).self)
    static let response = Message(
        "URLSession:dataTask:didReceiveResponse:completionHandler:", (any _DataTaskDidReceiveCompletionHandler).self)
    static let data = Message("URLSession:dataTask:didReceiveData:", (any _DataTaskDidReceive).self)
    static let file = Message(
        "URLSession:downloadTask:didFinishDownloadingToURL:", (any _DownloadTaskDidFinishDownloadingTo).self)
}

extension NSObjectProtocol {
    /// Finds the object that gets a message: this one, one that it forwards to, or none if it does not respond.
    func receiver<Method>(of message: Message<Method>) -> Method? {
        guard responds(to: message.selector) else { return nil }
        var object: (any NSObjectProtocol)? = self
        while let candidate = object {
            if let receiver = candidate as? Method { return receiver }
            object = candidate.forwardingTarget(for: message.selector) as? any NSObjectProtocol
        }
        raise("NSInvalidArgumentException", "\(message.selector.name): unrecognized selector")
    }
}
