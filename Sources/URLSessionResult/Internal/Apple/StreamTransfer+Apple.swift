#if !canImport(FoundationNetworking)

import Foundation

extension URLSession {
    /// Makes a task that hands its response on while it arrives.
    ///
    /// `bytes(for:)` would not do: it gives single bytes, and does not say when it has to wait for the next one.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - response: The response to hand on.
    /// - Returns: The task to resume.
    func makeStreamTask(for request: URLRequest, response: StreamedResponse) -> URLSessionTask {
        let task = dataTask(with: request)
        task.delegate = StreamTransfer(response)
        return task
    }
}

/// The delegate of a task whose response it hands on. The session's delegate gets every other call.
final class StreamTransfer: NSObject, URLSessionDataDelegate, Sendable {
    private let response: StreamedResponse

    init(_ response: StreamedResponse) { self.response = response }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        response.receive(head, of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        response.receive(data, of: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        response.complete(with: TaskOutcome(data: Data(), response: task.response, error: error))
    }
}

extension URLSessionTask {
    /// Cancels the task without waiting for it, which on Apple's platforms `cancel()` never does.
    func cancelSoon() { cancel() }
}

#endif
