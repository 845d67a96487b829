#if canImport(FoundationNetworking)

import Foundation

/// What FoundationNetworking asks the delegate of a task. It gets no answer, so that it sends no other request: the transfer does.
extension Transaction: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenged(by: [challenge])
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirected(by: response, to: nil)
    }

    /// FoundationNetworking tells only the delegate of the task that a `data` URL is malformed
    /// (`_DataURLProtocol.startLoading()`). Nothing else tells it, and the task would never end.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // Workaround: malformedDataURL
        ended(with: URLError(.badURL, at: task.originalRequest?.url))
        task.stop()
    }
}

#endif
