#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension TaskGuard {
    /// Sends the request after a redirect with a new task, in an `InnerSession`.
    ///
    /// FoundationNetworking would send it with the libcurl handle of the redirected request, and sets the size of the buffer
    /// of that handle again. libcurl refuses this while other responses come over the same connection, and
    /// FoundationNetworking crashes (https://github.com/swiftlang/swift-corelibs-foundation/issues/5445, fixed in Swift
    /// 6.4). A new task has a new handle.
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
