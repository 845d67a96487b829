#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension TaskGuard {
    /// Sends the request after a redirect with a new task, in an `InnerSession`.
    ///
    /// FoundationNetworking would send it with the redirected task, and crash in two cases:
    ///
    /// * The timeout of the task fires before the answer to the redirect is read (see `RedirectDecision`).
    /// * Other responses come over the same connection, as over HTTP/2. FoundationNetworking uses the libcurl handle again
    ///   and sets the size of its buffer, which libcurl then refuses
    ///   (https://github.com/swiftlang/swift-corelibs-foundation/issues/5445, fixed in Swift 6.4).
    ///
    /// The caller's task waits for an answer to its redirect until the handler has been called. Until then, it ties the
    /// new task to the caller's session: invalidating that session cancels both tasks or waits for both.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - task: The task that was redirected: the caller's, or one that ran instead of it.
    func follow(_ request: URLRequest, insteadOf task: URLSessionTask) {
        let next =
            switch task.delegate {
            case let transfer as CollectingTransfer: transfer.makeTask(following: task, with: request)
            case let transfer as StreamTransfer: transfer.makeTask(following: task, with: request)
            default:
                makeCollectingTask(
                    for: request, isDownload: task is URLSessionDownloadTask, reportingTo: nil, countsSentBytes: false)
            }
        let callersTask = completion.callersTask(for: task)
        completion.replace(task, by: next)
        next.resume()
        if task !== callersTask { task.cancelSoon() }
    }
}

#endif
