import Foundation
import Synchronization
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends one request at a time: the newest cancels the one before, as a search field wants it.
final class HTTPRequest: Sendable {
    private let server: URL
    private let session: URLSession
    private let current = Mutex<URLSessionDataTask?>(nil)

    init(server: URL, session: URLSession = .shared) {
        self.server = server
        self.session = session
    }

    func execute<T>(
        for resource: some APIResource,
        method: HTTPMethod = .get,
        body: (any Encodable)? = nil,
        headers: [String: String] = [:],
        decoder: ResultDecoder<T>,
        encoder: JSONEncoder = JSONEncoder(),
        completionHandler: @escaping @Sendable (Result<T, NetworkError>) -> Void
    ) {
        var request = URLRequest(url: resource.endpoint.uri(on: server), method: method)
        request.allHTTPHeaderFields = headers
        do {
            if let body { try request.setJSONBody(body, using: encoder) }
        } catch {
            return completionHandler(.failure(error))
        }
        let task = session.dataTask(with: request, decoder: decoder, resultHandler: completionHandler)
        let previous = current.withLock { current in
            defer { current = task }
            return current
        }
        previous?.cancel()
        task.resume()
    }
}
