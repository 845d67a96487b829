import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

typealias OutcomeHandler = @Sendable (TaskOutcome) -> Void

/// What a completion handler was given.
struct TaskOutcome: Sendable {
    /// How much of the body of a refused download is kept for the error.
    private static let errorBodyLimit = 1 << 20

    var data: Data?
    var file: URL?
    var response: URLResponse?
    var error: (any Error)?

    /// The body of a data or an upload task, or why there is none.
    func data(accepting statusCodes: some Collection<Int>) -> DataResult {
        DataResult(data: data, response: response, error: error, accepting: statusCodes)
    }

    /// The body of a data task with its response, or why there is none.
    func response(accepting statusCodes: some Collection<Int>) -> Result<NetworkResponse<Data>, NetworkError> {
        data(accepting: statusCodes).flatMap { body in
            // A body comes only after a response.
            response.map { .success(NetworkResponse(body: body, urlResponse: $0)) } ?? .failure(.noData)
        }
    }

    /// The temporary file of a download task, or why there is none.
    func file(accepting statusCodes: some Collection<Int>) -> Result<URL, NetworkError> {
        // The funnel looks at whether there is a body; the bytes are read only for an error to carry.
        let body = file.map { _ in Data() }
        return switch NetworkError(data: body, response: response, error: error, accepting: statusCodes) {
        case .serverError(let statusCode, let response):
            .failure(.serverError(statusCode: statusCode, response: response.map { _ in errorBody }))
        case let failure?: .failure(failure)
        case nil: file.map(Result.success) ?? .failure(.noData)
        }
    }

    /// The beginning of the body of a refused download. That it cannot be read must not hide what the server said.
    private var errorBody: Data {
        guard let file, let handle = try? FileHandle(forReadingFrom: file) else { return Data() }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: Self.errorBodyLimit)) ?? Data()
    }
}

/// The tasks that everything public is made of, guarded, and with one value for what they end in.
extension URLSession {
    func dataTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDataTask {
        guarded(outcomeHandler) { handler in
            dataTask(with: request) { handler(TaskOutcome(data: $0, response: $1, error: $2)) }
        }
    }

    func uploadTask(
        with request: URLRequest, from bodyData: Data, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        guarded(outcomeHandler, body: bodyData) { handler in
            uploadTask(with: request, from: bodyData) { handler(TaskOutcome(data: $0, response: $1, error: $2)) }
        }
    }

    func downloadTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        guarded(outcomeHandler) { handler in
            downloadTask(with: request) { handler(TaskOutcome(file: $0, response: $1, error: $2)) }
        }
    }
}

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
                    if case .success = result { meter?.finish() }
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
