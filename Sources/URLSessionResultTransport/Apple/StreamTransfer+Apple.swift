#if canImport(Darwin)

import Foundation

extension URLSession {
    /// Makes a task that hands its response on while it arrives.
    ///
    /// `bytes(for:)` would not do: it gives single bytes, and does not say when it has to wait for the next one.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - metrics: Where the task puts its metrics.
    ///   - response: The response to hand on.
    /// - Returns: The task to resume.
    package func makeStreamTask(
        for request: URLRequest, collecting metrics: CollectedMetrics? = nil, response: any ResponseReceiver
    ) -> URLSessionTask {
        handing(response, from: dataTask(with: request), collecting: metrics)
    }

    /// Makes a task that sends a body and hands its response on while it arrives.
    package func makeStreamTask(
        for request: URLRequest, uploading body: UploadedBody, collecting metrics: CollectedMetrics? = nil,
        response: any ResponseReceiver
    ) -> URLSessionTask {
        switch body {
        case .data(let data): handing(response, from: uploadTask(with: request, from: data), collecting: metrics)
        case .file(let file): handing(response, from: uploadTask(with: request, sending: file), collecting: metrics)
        }
    }

    /// Makes an upload task. If the file cannot be read, URLSession reports it.
    private func uploadTask(with request: URLRequest, sending file: URL) -> URLSessionUploadTask {
        guard (try? file.isRegularFile) == false, let contents = try? file.mapped() else {
            return uploadTask(with: request, fromFile: file)
        }
        // This is no regular file, and may be read only once, as a pipe. URLSession may read a file again after a redirect.
        return uploadTask(with: request, from: contents)
    }

    private func handing(
        _ response: any ResponseReceiver, from task: URLSessionTask, collecting metrics: CollectedMetrics?
    ) -> URLSessionTask {
        task.delegate = StreamTransfer(response, delegate: makeDelegate(for: task, collecting: metrics))
        return task
    }
}

/// A task's delegate that passes the response on to a receiver. Every other message goes to `delegate`. URLSession gives the
/// session's delegate the messages that neither takes.
final class StreamTransfer: NSObject, URLSessionDataDelegate, ForwardingDelegate, Sendable {
    private let response: any ResponseReceiver
    private let delegate: (any URLSessionTaskDelegate)?

    init(_ response: any ResponseReceiver, delegate: (any URLSessionTaskDelegate)? = nil) {
        self.response = response
        self.delegate = delegate
    }

    func forwarding(to delegate: any URLSessionTaskDelegate) -> any URLSessionTaskDelegate {
        StreamTransfer(response, delegate: self.delegate.forwarding(to: delegate))
    }

    /// URLSession asks which messages a delegate takes, because all of them are optional:
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
    override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || delegate?.responds(to: selector) == true
    }

    /// Objective-C asks this about a message that the class does not have:
    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/forwardingtarget(for:)
    override func forwardingTarget(for selector: Selector!) -> Any? { delegate }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        response.receive(head, of: dataTask, isTimed: false)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        response.receive(data, of: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        response.complete(with: error)
    }
}

/// Calls a function that may block. It is called at once. On Linux, the caller may be on the event loop, and another queue calls
/// the function.
package func offEventLoop(_ work: @escaping @Sendable () -> Void) { work() }

/// Calls a function at once. On Linux, another queue stores the cookies first, and then calls the function.
package func afterStoringCookies(of task: URLSessionTask, _ work: @escaping @Sendable () -> Void) { work() }

#endif
