import Foundation
import URLSessionResult

/// A delegate that says when a session is over, after which no handler can be called any more.
final class SessionEnd: NSObject, URLSessionDelegate {
    private let invalidated = Gate()

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        invalidated.open()
    }

    /// Lets the session's tasks finish, then waits until nothing is left on its delegate queue.
    func follows(_ session: URLSession) async throws {
        session.finishTasksAndInvalidate()
        try await invalidated.opened()
        await withCheckedContinuation { continuation in
            session.delegateQueue.addBarrierBlock { continuation.resume() }
        }
    }
}
