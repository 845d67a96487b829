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
    func run<Success: Sendable>(
        _ progress: ProgressHandler? = nil, of makeTask: (@escaping ResultHandler<Success>) -> URLSessionTask
    ) async -> Result<Success, NetworkError> {
        guard !Task.isCancelled else { return .failure(.transportError(URLError(.cancelled))) }
        let meter = progress.map { Locked(ProgressMeter(handler: $0)) }
        // Lets a cancellation find the task that has started.
        let started = Locked<URLSessionTask?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let asked = makeTask { result in
                    meter?.withLock { $0.finish(successfully: result.failure == nil) }
                    continuation.resume(returning: result)
                }
                let task = meter.map { observed(asked, by: $0) } ?? asked
                // A task for a URL that nothing handles never ends on Linux when it is cancelled before it is resumed.
                task.resume()
                started.withLock { $0 = task }
                // A cancellation that came before there was a task is seen here.
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            started.withLock { $0 }?.cancel()
        }
    }

    /// Runs a task to its end and decodes what it gave, off the delegate queue.
    func run<T>(
        _ progress: ProgressHandler?, _ decoder: ResultDecoder<T>,
        of makeTask: (@escaping ResultHandler<Data>) -> URLSessionTask
    ) async -> Result<T, NetworkError> { decoder.decode(await run(progress, of: makeTask)) }
}
