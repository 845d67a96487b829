#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The delegate of a task that runs in an `InnerSession`.
protocol GuardedTransfer: URLSessionDataDelegate {
    var taskGuard: TaskGuard { get }

    /// Takes the end of the task, on the delegate queue.
    func takeEnd(of task: URLSessionTask, with error: (any Error)?)
}

extension GuardedTransfer {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        taskGuard.urlSession(session, task: task, didCompleteWithError: error)
    }
}

#endif
