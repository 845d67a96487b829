import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

typealias CompletionHandler<Body> = @Sendable (Body?, URLResponse?, (any Error)?) -> Void

/// A request and how it moves data: what the `async` methods make their tasks of.
struct Transfer<Body: Sendable>: Sendable {
    enum Kind {
        case data
        case upload
        case download
    }

    let kind: Kind
    let task: @Sendable (URLSession, @escaping CompletionHandler<Body>) -> URLSessionTask
    let taskForDelegate: @Sendable (URLSession) -> URLSessionTask
    /// Picks the body from what a delegate has collected: the bytes, or the file of a download.
    let body: @Sendable (_ bytes: Data, _ file: URL?) -> Body?
}

extension Transfer where Body == Data {
    static func data(_ request: URLRequest) -> Self {
        Transfer(
            kind: .data,
            task: { $0.dataTask(with: request, completionHandler: $1) },
            taskForDelegate: { $0.dataTask(with: request) },
            body: { bytes, _ in bytes }
        )
    }

    static func upload(_ request: URLRequest, from bodyData: Data) -> Self {
        Transfer(
            kind: .upload,
            task: { $0.uploadTask(with: request, from: bodyData, completionHandler: $1) },
            taskForDelegate: { $0.uploadTask(with: request, from: bodyData) },
            body: { bytes, _ in bytes }
        )
    }
}

extension Transfer where Body == URL {
    static func download(_ request: URLRequest) -> Self {
        Transfer(
            kind: .download,
            task: { $0.downloadTask(with: request, completionHandler: $1) },
            taskForDelegate: { $0.downloadTask(with: request) },
            body: { _, file in file }
        )
    }
}

extension URLSession {
    /// Runs a transfer to its end; cancelling the Swift task cancels it.
    ///
    /// - Parameters:
    ///   - transfer: The transfer to run.
    ///   - progress: Called on the delegate queue while it runs.
    ///   - completion: Makes the result of what a completion handler is given, on the delegate queue, where the file
    ///     of a download still exists.
    /// - Returns: What `completion` made.
    func result<Body, Success: Sendable>(
        of transfer: Transfer<Body>,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Body?, URLResponse?, (any Error)?) -> Result<Success, NetworkError>
    ) async -> Result<Success, NetworkError> {
        let meter = progress.map(ProgressMeter.init)
        let cancellation = TaskCancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let handler: CompletionHandler<Body> = { body, response, error in
                    let result = completion(body, response, error)
                    if case .success = result { meter?.finish() }
                    continuation.resume(returning: result)
                }
                let task =
                    meter.map { observedTask(for: transfer, meter: $0, completionHandler: handler) }
                    ?? guarded({ transfer.task(self, $0) }, completionHandler: handler)
                cancellation.start(task)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

/// Carries the cancellation of a Swift task to a URLSession task, whichever of the two comes first.
private final class TaskCancellation: Sendable {
    private struct State {
        var task: URLSessionTask?
        var isCancelled = false
    }

    private let state = Locked(State())

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() } else { task.resume() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
