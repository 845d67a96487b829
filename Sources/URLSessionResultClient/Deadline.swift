import Foundation

/// Middleware that limits the total time of a request, including redirects, and retries and refreshes within it.
///
/// When the time is over, the request is cancelled, and the error is `NetworkError.transportError` with `URLError.timedOut`.
/// `timeoutInterval` of a request, in contrast, limits the time in which nothing arrives. For a stream, the headers have to arrive by then.
///
/// The error comes when the cancelled request has ended. Middleware of your own that ignores cancellation delays it.
public struct Deadline: RequestMiddleware {
    /// The total time in seconds, at most a year.
    public var seconds: TimeInterval

    /// Waits for a number of seconds.
    package var sleep: @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(seconds: $0) }

    /// Creates the middleware.
    ///
    /// - Parameter seconds: The total time in seconds.
    public init(seconds: TimeInterval) { self.seconds = seconds }

    /// Sends the request, and cancels it when the time is over.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        await withTaskGroup(of: Result<NetworkResponse<Body>, NetworkError>?.self) { group in
            group.addTask { await next(request) }
            group.addTask {
                // Ends early when the response is there.
                try? await sleep(seconds)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The request may have succeeded at the last moment. But a stream does not count: it was cancelled with its request.
            if case .success(let response)?? = await group.next(), !(response.body is ResponseBytes) {
                return .success(response)
            }
            return .failure(.transportError(code: Task.isCancelled ? .cancelled : .timedOut))
        }
    }
}
