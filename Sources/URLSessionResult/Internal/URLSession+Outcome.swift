import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Lets a cancellation find the task that has started. All share it: one each would cost more than it is ever held.
private let cancellationLock = NSLock()

typealias OutcomeHandler = @Sendable (Outcome) -> Void

/// What a completion handler was given.
struct Outcome: Sendable {
    var data: Data?
    var file: URL?
    var response: URLResponse?
    var error: (any Error)?

    /// The body of a data or an upload task, or why there is none; for a file, empty.
    func data(accepting codes: some Collection<Int>) -> DataResult {
        DataResult(data: data ?? file.map { _ in Data() }, response: response, error: error, accepting: codes)
    }

    /// The body of a data task with its response, or why there is none.
    func response(accepting codes: some Collection<Int>) -> Result<NetworkResponse<Data>, NetworkError> {
        data(accepting: codes).flatMap { body in
            // A body comes only after a response.
            response.map { .success(NetworkResponse(body: body, urlResponse: $0)) } ?? .failure(.noData)
        }
    }

    /// The temporary file of a download task, or why there is none: an error holds the beginning of a refused body.
    func file(accepting codes: some Collection<Int>) -> Result<URL, NetworkError> {
        let result = data(accepting: codes).flatMap { _ in file.map(Result.success) ?? .failure(.noData) }
        guard let file, case .failure(.serverError(let statusCode, let response)) = result else { return result }
        // Read, for mapped it would keep all of the file. That it cannot be must not hide what the server said.
        let beginning = (try? FileHandle(forReadingFrom: file).read(upToCount: 1 << 20)) ?? Data()
        return .failure(.serverError(statusCode: statusCode, response: response.map { _ in beginning }))
    }

    /// What a task that can only fail ends in.
    func failed(with error: any Error = URLError(.unsupportedURL)) -> Self { Outcome(error: self.error ?? error) }
}

/// The tasks that everything public is made of, guarded, and with one value for what they end in.
extension URLSession {
    func dataTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDataTask {
        armed(outcomeHandler) { end in dataTask(with: request) { end(Outcome(data: $0, response: $1, error: $2)) } }
    }

    func uploadTask(
        with request: URLRequest, from body: Data?, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        // FoundationNetworking ends the process when there is none.
        let body = body ?? Data()
        return armed(outcomeHandler, body: body) { end in
            uploadTask(with: request, from: body) { end(Outcome(data: $0, response: $1, error: $2)) }
        }
    }

    func downloadTask(with request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        armed(outcomeHandler) { end in downloadTask(with: request) { end(Outcome(file: $0, response: $1, error: $2)) } }
    }

    /// Makes a task that sends a file, or one that fails with what is wrong with the file.
    func uploadTask(
        with request: URLRequest, fromFile file: URL, outcomeHandler handler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            let body = try file.mapped()
            #if !canImport(FoundationNetworking)
            // A pipe could not be read again.
            if try file.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                return uploadTask(with: request, fromFile: file) { handler(Outcome(data: $0, response: $1, error: $2)) }
            }
            #endif
            // FoundationNetworking reads a file while it sends it, and ends the process when the transfer ends before
            // the reading does, as after a cancellation or a reset (`_BodyFileSource`). So it is given the bytes.
            return uploadTask(with: request, from: body, outcomeHandler: handler)
        } catch {
            return uploadTask(with: Self.unsendable, from: nil, outcomeHandler: { handler($0.failed(with: error)) })
        }
    }

    /// A request that reaches nobody.
    ///
    /// A URL that nothing handles would do as well, but for a task that is cancelled before it is resumed: it never
    /// ends.
    static let unsendable = URLRequest(url: URL(string: "data:,") ?? URL(fileURLWithPath: "/"))

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
        // Unsafe but for the lock, which is held on every access.
        nonisolated(unsafe) var started: URLSessionTask?
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let asked = makeTask { result in
                    meter?.withLock { $0.finish(successfully: result.failure == nil) }
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
    func run<T>(
        _ progress: ProgressHandler?, _ decoder: ResultDecoder<T>,
        of makeTask: (@escaping ResultHandler<Data>) -> URLSessionTask
    ) async -> Result<T, NetworkError> { decoder.decode(await run(progress, of: makeTask)) }
}
