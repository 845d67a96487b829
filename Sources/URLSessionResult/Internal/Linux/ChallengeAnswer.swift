#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// Keeps answers to challenges and cancellations apart.
///
/// FoundationNetworking answers a challenge in several steps: it suspends the task, changes its request and resumes it. A
/// cancellation between the steps crashes (`_NativeProtocol.stopLoading()`). The library can hold off its own
/// cancellations, and not those that a caller makes with `URLSessionTask.cancel()`.
enum ChallengeAnswer {
    private static let lock = NSLock()

    /// Answers a challenge with a credential, unless the task is over.
    static func send(
        _ credential: URLCredential, for task: URLSessionTask,
        with completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        lock.withLock {
            // An answer for a task that is over would keep the task and its session for ever.
            guard task.isUnderWay else { return }
            completionHandler(.useCredential, credential)
        }
    }

    /// Leaves a challenge to FoundationNetworking, unless the task is over.
    ///
    /// From Swift 6.3.2 on, FoundationNetworking then completes the task, and looks it up in a dictionary that it changes on
    /// its work queue. So it is told while that queue stands still.
    static func leaveToDefault(
        _ task: URLSessionTask,
        with completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        WorkQueue.hold {
            guard task.isUnderWay else { return }
            completionHandler(.performDefaultHandling, nil)
        }
    }

    /// Cancels a task before or after an answer.
    static func cancel(_ task: URLSessionTask) {
        lock.withLock { task.cancel() }
    }
}

#endif
