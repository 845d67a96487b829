#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSessionTask {
    /// Cancels the task on behalf of a Swift task, and with it the tasks that run instead of it.
    func cancelWithSwiftTask() {
        guard let replacement = taskGuard?.completion.replacement else { return ChallengeAnswer.cancel(self) }
        ChallengeAnswer.cancel(replacement.runningTask)
        // If a redirect replaces the running task at this moment, the caller's task cancels the one that comes next.
        ChallengeAnswer.cancel(replacement.callersTask)
    }

    private var taskGuard: TaskGuard? { delegate as? TaskGuard ?? (delegate as? any GuardedTransfer)?.taskGuard }
}

#endif
