import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Lets a cancellation find the task that has started. All share it: one each would cost more than it is ever held.
private let cancellationLock = NSLock()

extension URLSession {
    /// Runs a task to its end; cancelling the Swift task cancels it.
    ///
    /// - Parameters:
    ///   - progress: Called on the delegate queue while the task runs.
    ///   - makeTask: Makes the task, whose handler is the argument.
    /// - Returns: What the handler was called with.
    func result<Success: Sendable>(
        _ progress: ProgressHandler? = nil, of makeTask: (@escaping ResultHandler<Success>) -> URLSessionTask
    ) async -> Result<Success, NetworkError> {
        guard !Task.isCancelled else { return .failure(.transportError(URLError(.cancelled))) }
        let meter = progress.map(ProgressMeter.init)
        // Unsafe but for the lock, which is held on every access.
        nonisolated(unsafe) var started: URLSessionTask?
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let asked = makeTask { result in
                    meter?.finish(successfully: result.failure == nil)
                    continuation.resume(returning: result)
                }
                let task = meter.map { observed(asked, by: $0) } ?? asked
                // A task for a URL that nothing handles never ends on Linux when it is cancelled before it is resumed.
                task.resume()
                cancellationLock.withLock { started = task }
                // A cancellation that came before there was a task is seen here.
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            cancellationLock.withLock { started }?.cancel()
        }
    }

    /// Runs a task to its end and decodes what it gave, off the delegate queue.
    func result<T>(
        _ progress: ProgressHandler?, _ decoder: ResultDecoder<T>,
        of makeTask: (@escaping ResultHandler<Data>) -> URLSessionTask
    ) async -> Result<T, NetworkError> { decoder.decode(await result(progress, of: makeTask)) }
}
