import Foundation
import Synchronization
import URLSessionResult

/// Sends one request at a time. A new request cancels the previous one, as a search field needs it.
final class HTTPRequest: Sendable {
    private let server: URL
    private let session: URLSession
    private let cancelCurrent = Mutex<(@Sendable () -> Void)?>(nil)

    init(server: URL, session: URLSession = .shared) {
        self.server = server
        self.session = session
    }

    func execute<T: Sendable>(
        for resource: some APIResource,
        method: HTTPMethod = .get,
        body: (any Encodable)? = nil,
        headers: [String: String] = [:],
        decoder: ResultDecoder<T>,
        encoder: JSONEncoder = JSONEncoder()
    ) async -> Result<T, NetworkError> {
        var request = URLRequest(url: resource.endpoint.uri(on: server), method: method)
        request.allHTTPHeaderFields = headers
        do {
            if let body { try request.setJSONBody(body, using: encoder) }
        } catch {
            return .failure(error)
        }
        let task = Task { [session, request] in await session.dataResult(for: request, decoder: decoder) }
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
