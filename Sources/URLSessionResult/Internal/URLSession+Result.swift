import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// Runs a task to its end; cancelling the Swift task cancels it.
    ///
    /// - Parameters:
    ///   - progress: Called on the delegate queue while the task runs.
    ///   - makeTask: Makes the task, whose handler is the argument.
    /// - Returns: What the handler was called with.
    func result<Success: Sendable>(
        progress: ProgressHandler? = nil, of makeTask: (@escaping ResultHandler<Success>) -> URLSessionTask
    ) async -> Result<Success, NetworkError> {
        guard !Task.isCancelled else { return .failure(.transportError(URLError(.cancelled))) }
        let meter = progress.map(ProgressMeter.init)
        let cancellation = TaskCancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = makeTask { result in
                    meter?.finish(successfully: result.failure == nil)
                    continuation.resume(returning: result)
                }
                cancellation.start(meter.map { observed(task, by: $0) } ?? task)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

/// Carries the cancellation of a Swift task to a URLSession task, whichever of the two comes first.
///
/// Unchecked because the lock is held on every access. All share it: one each would cost more than it is ever held.
private final class TaskCancellation: @unchecked Sendable {
    private static let lock = NSLock()
    private var task: URLSessionTask?

    func start(_ task: URLSessionTask) {
        // A task for a URL that nothing handles never ends on Linux when it is cancelled before it is resumed.
        task.resume()
        Self.lock.withLock { self.task = task }
        // A cancellation that came before there was a task is seen here.
        if Task.isCancelled { task.cancel() }
    }

    func cancel() {
        Self.lock.withLock { task }?.cancel()
    }
}
