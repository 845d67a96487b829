import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request and how it moves data: what the `async` methods make their tasks of.
enum Transfer: Sendable {
    case data(URLRequest)
    case upload(URLRequest, Data)
    case uploadOfFile(URLRequest, URL)
    case download(URLRequest)
    case resumedDownload(Data)

    func task(in session: URLSession, handler: @escaping OutcomeHandler) -> URLSessionTask {
        switch self {
        case .data(let request): session.dataTask(with: request, outcomeHandler: handler)
        case .upload(let request, let data): session.uploadTask(with: request, from: data, outcomeHandler: handler)
        case .uploadOfFile(let request, let file):
            session.uploadTask(with: request, fromFile: file, outcomeHandler: handler)
        case .download(let request): session.downloadTask(with: request, outcomeHandler: handler)
        case .resumedDownload(let data): session.downloadTask(withResumeData: data, outcomeHandler: handler)
        }
    }

    /// Whether the bytes that count are those of the request.
    var isUpload: Bool {
        switch self {
        case .upload, .uploadOfFile: true
        case .data, .download, .resumedDownload: false
        }
    }
}

extension URLSession {
    /// Runs a transfer to its end; cancelling the Swift task cancels it.
    ///
    /// - Parameters:
    ///   - transfer: The transfer to run.
    ///   - progress: Called on the delegate queue while it runs.
    ///   - result: Makes the result on the delegate queue, where the file of a download still exists.
    /// - Returns: What `result` made.
    func result<Success: Sendable>(
        of transfer: Transfer, progress: ProgressHandler? = nil,
        _ result: @escaping @Sendable (TaskOutcome) -> Result<Success, NetworkError>
    ) async -> Result<Success, NetworkError> {
        let meter = progress.map(ProgressMeter.init)
        let cancellation = TaskCancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let handler: OutcomeHandler = { outcome in
                    let result = result(outcome)
                    if case .success = result { meter?.finish() }
                    continuation.resume(returning: result)
                }
                let task = meter.map { observedTask(for: transfer, meter: $0, handler: handler) }
                cancellation.start(task ?? transfer.task(in: self, handler: handler))
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
        Self.lock.withLock { self.task = task }
        // A cancellation that came before there was a task is seen here.
        if Task.isCancelled { task.cancel() } else { task.resume() }
    }

    func cancel() {
        Self.lock.withLock { task }?.cancel()
    }
}
