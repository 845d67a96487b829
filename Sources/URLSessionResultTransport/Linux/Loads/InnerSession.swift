#if canImport(FoundationNetworking)

import Foundation

/// A session in which the requests of callers' sessions run.
///
/// It has of the caller's configuration no more than its number of connections: the library asks the caller's protocols, sends
/// and stores the cookies, finds the credentials, and gives each request its timeout and the additional header fields.
///
/// It is never closed, but used again. Closing a session that has an idle connection with TLS aborts the process (libcurl 8.9
/// and later). As long as it runs requests of one caller's session, requests of other sessions are kept out, so that none waits
/// for another one's connections. So there are as many as callers' sessions ever had requests in flight at once, up to a limit:
/// each keeps three descriptors, even when it is idle. Beyond the limit, callers' sessions share.
final class InnerSession: Sendable {
    /// What no request can bring along.
    private struct Key: Equatable {
        let connectionsPerHost: Int

        /// Streams last long, and would keep others from their connections.
        let isForStreams: Bool
        let isForHTTP: Bool
    }

    /// Who uses an inner session.
    struct Use: Sendable {
        /// The caller's session that used it last.
        private(set) weak var owner: URLSession?
        private(set) var requestsInFlight = 0

        /// Nil before the first request has ended.
        private var latest: ContinuousClock.Instant?

        /// How long the connections of a session are kept for it.
        private static let patience = Duration.seconds(15)

        func isOf(_ owner: URLSession) -> Bool { self.owner === owner }

        /// The time of a monotonic clock.
        func isFree(at now: ContinuousClock.Instant = .now) -> Bool {
            guard requestsInFlight == 0 else { return false }
            guard owner != nil, let latest else { return true }
            return latest.duration(to: now) > Self.patience
        }

        mutating func begin(for owner: URLSession) {
            self.owner = owner
            requestsInFlight += 1
        }

        mutating func end(at now: ContinuousClock.Instant = .now) {
            requestsInFlight -= 1
            latest = now
        }
    }

    private let key: Key
    private let session: URLSession
    private let delegate = InnerSessionDelegate()
    // Workaround: closedSession
    private static let pool = Locked([InnerSession]())

    /// For each key.
    private static let limit = 100

    private init(_ key: Key) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = key.connectionsPerHost
        // Not a class that the caller has registered for all sessions, which comes last here.
        if key.isForHTTP { configuration.protocolClasses = URLSessionConfiguration.classesForHTTP }
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // In FoundationNetworking, no response gets into a cache, and a task that is cancelled while it looks for one is
        // cancelled later, from another thread, which may be after its end. That crashes.
        configuration.urlCache = nil
        self.key = key
        // What answers for another scheme may do so on any thread.
        let queue = key.isForHTTP ? ImmediateQueue() : OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Makes a task for a transaction.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: What an upload sends. Nil for a task that is none.
    ///   - byHTTP: Whether HTTP loads the request.
    ///   - transaction: The transaction, which is told what arrives.
    /// - Returns: The task, which does not run yet.
    static func makeTask(for request: URLRequest, sending body: Data?, byHTTP: Bool, for transaction: Transaction)
        -> URLSessionTask
    {
        let session = begin(for: transaction, byHTTP: byHTTP).session
        let task = body.map { session.uploadTask(with: request, from: $0) } ?? session.dataTask(with: request)
        task.delegate = transaction
        return task
    }

    private static func begin(for transaction: Transaction, byHTTP: Bool) -> InnerSession {
        let key = Key(
            connectionsPerHost: transaction.configuration.httpMaximumConnectionsPerHost,
            isForStreams: transaction.isStream, isForHTTP: byHTTP)
        let owner = transaction.callersSession
        let (inner, owners) = pool.withLock { pool in
            let owners = pool.map { inner in inner.delegate.use.withLock { $0.owner } }
            // The one of this session may have connections to its hosts. The latest free one has been idle for the shortest.
            let index =
                pool.lastIndex { $0.key == key && $0.delegate.use.withLock { $0.isOf(owner) } }
                ?? pool.lastIndex { $0.key == key && $0.delegate.use.withLock { $0.isFree() } }
                ?? indexToShare(for: key, in: pool)
            let inner = index.map { pool.remove(at: $0) } ?? InnerSession(key)
            pool.append(inner)
            inner.delegate.use.withLock { $0.begin(for: owner) }
            return (inner, owners)
        }
        // Looking at a session keeps it, so that this may be its end, and that of its delegate: not under the lock.
        withExtendedLifetime(owners) {}
        return inner
    }

    /// The one with the fewest requests, once there are as many as may be.
    private static func indexToShare(for key: Key, in pool: [InnerSession]) -> Int? {
        let candidates = pool.indices.filter { pool[$0].key == key }
        guard candidates.count >= limit else { return nil }
        return candidates.min { pool[$0].requestsInFlight < pool[$1].requestsInFlight }
    }

    private var requestsInFlight: Int { delegate.use.withLock { $0.requestsInFlight } }
}

#endif
