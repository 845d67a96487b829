import Synchronization
import URLSessionResultClient

/// Middleware that sends one GET at a time: a new one cancels the previous one, as a search field needs it. Other requests change
/// something on the server, so they are sent as they are.
final class LatestRequest: RequestMiddleware {
    private let cancelCurrent = Mutex<(@Sendable () -> Void)?>(nil)

    func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        guard request.httpMethod == "GET" else { return await next(request) }
        let task = Task { await next(request) }
        cancelPrevious(andKeep: task.cancel)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func cancelPrevious(andKeep cancel: @escaping @Sendable () -> Void) {
        let previous = cancelCurrent.withLock { current in
            defer { current = cancel }
            return current
        }
        previous?()
    }
}
