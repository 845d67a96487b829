#if canImport(FoundationNetworking)

import Foundation

/// A response that the caller has stored in the cache of the session.
final class CachedLoad: Load {
    private let cached: CachedURLResponse
    private let transaction: Transaction

    /// Guards a flag that the caller sets while another queue tells what is stored.
    private let isStopped = Locked(false)

    init(_ cached: CachedURLResponse, for transaction: Transaction) {
        self.cached = cached
        self.transaction = transaction
    }

    var response: URLResponse? { cached.response }
    var countOfBytesSent: Int64 { 0 }
    var countOfBytesExpectedToSend: Int64 { 0 }

    /// As any load for HTTP, it tells its end on the work queue.
    func start() {
        onWorkQueue { [self] in
            tell { transaction.receive(cached.response) { $0() } }
            if !cached.data.isEmpty { tell { transaction.receive(cached.data) } }
            tell { transaction.ended(with: nil) }
        }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private func tell(_ event: () -> Void) {
        if !isStopped.withLock({ $0 }) { event() }
    }
}

extension Transaction {
    /// The load of the stored response if the cache policy of the request prefers it, however old it is.
    ///
    /// - Throws: `URLError.resourceUnavailable` if nothing is stored, and the policy allows nothing else.
    var cachedLoad: CachedLoad? {
        get throws {
            let policy = request.cachePolicy
            guard [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(policy), case .data = prepared.kind
            else {
                return nil
            }
            if let cached = configuration.urlCache?.cachedResponse(for: request) {
                return CachedLoad(cached, for: self)
            }
            guard policy == .returnCacheDataDontLoad else { return nil }
            throw URLError(.resourceUnavailable, at: request.url)
        }
    }
}

#endif
