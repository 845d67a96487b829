#if canImport(FoundationNetworking)

import Foundation

/// A response that the caller has stored in the cache of the session.
final class CachedLoad: Load {
    private let cached: CachedURLResponse
    private let transaction: Transaction

    /// Guards a flag that the caller sets while another queue gives what is stored.
    private let isStopped = Locked(false)

    init(_ cached: CachedURLResponse, for transaction: Transaction) {
        self.cached = cached
        self.transaction = transaction
    }

    var response: URLResponse? { cached.response }
    var countOfBytesSent: Int64 { 0 }
    var countOfBytesExpectedToSend: Int64 { 0 }

    /// Gives what is stored on another queue, as any load does.
    func start() {
        onGlobalQueue { [self] in
            unlessStopped { transaction.receive(cached.response) { $0() } }
            if !cached.data.isEmpty { unlessStopped { transaction.receive(cached.data) } }
            unlessStopped { transaction.ended(with: nil) }
        }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private func unlessStopped(_ event: () -> Void) {
        if !isStopped.withLock({ $0 }) { event() }
    }
}

extension URLSessionConfiguration {
    /// Finds the stored response of a request if the cache policy prefers it, however old it is.
    ///
    /// Only a GET has one: the answer to another method would say that something was done which nobody has asked the server for.
    ///
    /// - Throws: `URLError.resourceUnavailable` if nothing is stored, and the policy allows nothing else.
    func storedResponse(for request: URLRequest) throws -> CachedURLResponse? {
        let isDefault = request.cachePolicy == .useProtocolCachePolicy
        let policy = isDefault ? requestCachePolicy : request.cachePolicy
        guard [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(policy) else { return nil }
        if request.httpMethod ?? "GET" == "GET", let stored = urlCache?.cachedResponse(for: request),
            stored.mayBeUsedAgain, stored.answers(request)
        {
            return stored
        }
        guard policy == .returnCacheDataDontLoad else { return nil }
        throw URLError(.resourceUnavailable, at: request.url)
    }
}

extension CachedURLResponse {
    /// Whether `URLSession` would give it: a response with this status code may be cached by default (RFC 9110, section 15.1).
    fileprivate var mayBeUsedAgain: Bool {
        guard let response = response as? HTTPURLResponse else { return true }
        return [200, 203, 204, 206, 300, 301, 404, 405, 410, 414, 501].contains(response.statusCode)
    }

    /// Whether it may be the response of a request. FoundationNetworking finds one by the host, the port and the path of the URL alone.
    fileprivate func answers(_ request: URLRequest) -> Bool {
        if (response as? HTTPURLResponse)?.statusCode == 206, request.value(forHTTPHeaderField: "Range") == nil {
            return false
        }
        guard let url = response.url, let requested = request.url else { return false }
        // A redirect has led to another URL, which says nothing of the first one.
        guard url.host == requested.host, url.port == requested.port, url.path == requested.path else { return true }
        return url.scheme?.lowercased() == requested.scheme?.lowercased() && url.query == requested.query
    }
}

#endif
