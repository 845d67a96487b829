import Foundation
internal import URLSessionResultTransport

extension URLSession {
    /// Runs a task to its end. Cancelling the Swift task cancels it.
    ///
    /// - Parameters:
    ///   - delegate: The delegate of this request.
    ///   - progress: A function that is called on the delegate queue while the task runs.
    ///   - codes: The HTTP status codes of which progress is reported.
    ///   - body: What is uploaded, if it is known.
    ///   - makeTask: A function that makes the task from its handler.
    /// - Returns: The result that the handler was called with.
    func awaitResult<Success: Sendable>(
        delegate: (any URLSessionTaskDelegate)?, reportingTo progress: ProgressHandler?,
        accepting codes: some StatusCodes, uploading body: @autoclosure () -> UploadedBody? = nil,
        of makeTask: (@escaping ResultHandler<Success>) -> URLSessionTask
    ) async -> Result<Success, NetworkError> {
        guard !Task.isCancelled else { return .failure(.transportError(code: .cancelled)) }
        if let reason = reasonAgainstAwaiting { return .failure(.transportError(reason)) }
        let meter = progress.map { ProgressMeter(handler: $0, bodyLength: body()?.length) }
        let cancellation = TaskCancellation()
        var observation: AnyObject?
        defer { withExtendedLifetime(observation) {} }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = makeTask { result in
                    guard let meter else { return continuation.resume(returning: result) }
                    meter.finish(successfully: result.failure == nil) { continuation.resume(returning: result) }
                }
                observation = resume(task, delegate: delegate, reportingTo: meter?.counter(of: task, accepting: codes))
                {
                    // If the Swift task is cancelled by now, this cancels the task before it sends anything.
                    cancellation.willStart(task)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

/// Passes a cancellation on to a task, whichever of the two comes first.
///
/// Unchecked, because every access to the state holds the lock.
final class TaskCancellation: @unchecked Sendable {
    /// All awaits share the lock. A lock for each would cost more than the rest of the await, and it is held for an
    /// instant only.
    private static let lock = NSLock()
    private var task: URLSessionTask?
    private var isCancelled = false

    func willStart(_ task: URLSessionTask) {
        let isCancelled = Self.lock.withLock {
            self.task = task
            return self.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = Self.lock.withLock {
            isCancelled = true
            return self.task
        }
        task?.cancel()
    }
}
