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
            default: makeTask(following: task, with: request, reportingTo: nil)
            }
        let callersTask = completion.callersTask(for: task)
        completion.replace(task, by: next)
        next.resume()
        if task !== callersTask { task.cancelSoon() }
    }

    /// Makes a task in an `InnerSession` that collects what a completion handler would be given.
    func makeTask(
        following task: URLSessionTask, with request: URLRequest, reportingTo meter: ProgressMeter?,
        countsSentBytes: Bool = false
    ) -> URLSessionTask {
        let innerSession = InnerSession.beginTransfer(of: owner, for: .wholeBodies)
        let session = innerSession.session
        let next = request.withStoredCookies(of: configuration) { request in
            task is URLSessionDownloadTask ? session.downloadTask(with: request) : session.dataTask(with: request)
        }
        next.delegate = CollectingTransfer(
            guardedBy: self, reportingTo: meter, countsSentBytes: countsSentBytes, in: innerSession)
        return next
    }
}

#endif
