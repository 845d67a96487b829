#if canImport(FoundationNetworking)

import Dispatch
import Foundation
import FoundationNetworking

extension URLSessionTask {
    /// Cancels the task without waiting for it.
    ///
    /// `cancel()` waits for the queue on which the tasks of all sessions run. A reader that leaves a stream has no reason
    /// to wait for them.
    func cancelSoon() {
        DispatchQueue.global().async { self.cancel() }
    }
}

#endif
