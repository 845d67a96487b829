#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// A session in which requests of one of the callers' sessions run.
///
/// It has of the caller's configuration no more than its number of connections: the library asks the caller's protocols, sends
/// and stores the cookies, finds the credentials, and gives each request its timeout and the additional header fields.
///
/// It serves one of the callers' sessions, its owner. So no request waits for another session's connections, and none is answered
/// by what a server has sent unasked to another session. When the owner is gone, the connections are closed.
final class InnerSession: Sendable {
    /// What no request can bring along.
    struct Kind: Hashable, Sendable {
        let connectionsPerHost: Int

        /// Streams last long, and would keep others from their connections.
        let isForStreams: Bool
        let isForHTTP: Bool
    }

    let kind: Kind
    private let session: URLSession
    private let delegate = InnerSessionDelegate()

    init(_ kind: Kind) {
        self.kind = kind
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = kind.connectionsPerHost
        // Not a class that the caller has registered for all sessions, which comes last here.
        if kind.isForHTTP { configuration.protocolClasses = URLSessionConfiguration.classesForHTTP }
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // In FoundationNetworking, no response gets into a cache, and a task that is cancelled while it looks for one is
        // cancelled later, from another thread, which may be after its end. That crashes.
        configuration.urlCache = nil
        // What answers for another scheme may do so on any thread.
        let queue = kind.isForHTTP ? ImmediateQueue() : OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        SocketWatch.becomeExact(in: session)
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
        let kind = Kind(
            connectionsPerHost: transaction.configuration.httpMaximumConnectionsPerHost,
            isForStreams: transaction.isStream, isForHTTP: byHTTP)
        let session = begin(kind, for: transaction.callersSession).session
        let task = body.map { session.uploadTask(with: request, from: $0) } ?? session.dataTask(with: request)
        task.delegate = transaction
        return task
    }
}

// MARK: - Its use

extension InnerSession {
    /// Who uses an inner session.
    struct Use: Sendable {
        /// The caller's session. Nil when it is gone.
        private(set) weak var owner: URLSession?
        private(set) var requestsInFlight = 0

        /// When the last request has ended.
        private var latest = ContinuousClock.now

        /// libcurl uses no connection again that was idle for 118 seconds.
        private static let patience = Duration.seconds(120)

        init(of owner: URLSession? = nil) { self.owner = owner }

        /// A request begins.
        ///
        /// - Returns: Whether it may: the session is its owner's.
        mutating func begin(for owner: URLSession) -> Bool {
            guard self.owner === owner else { return false }
            requestsInFlight += 1
            return true
        }

        /// A request has ended.
        ///
        /// - Parameter now: The time of a monotonic clock.
        mutating func end(at now: ContinuousClock.Instant = .now) {
            requestsInFlight -= 1
            latest = now
        }

        /// Whether nobody needs the connections any more.
        func isOver(at now: ContinuousClock.Instant) -> Bool {
            requestsInFlight == 0 && (owner == nil || latest.duration(to: now) > Self.patience)
        }
    }

    var use: Locked<Use> { delegate.use }

    fileprivate static func begin(_ kind: Kind, for owner: URLSession) -> InnerSession {
        let (session, isCrowded) = pool.withLock { ($0.begin(kind, for: owner), $0.noticeCrowd()) }
        if isCrowded { soon { closeUnused() } }
        return session
    }
}

// MARK: - Its end

extension InnerSession {
    /// Guards which session serves whom. The uses of the sessions are locked under it, one at a time, and never the other way round.
    ///
    /// An owner goes while its sessions are looked at:
    ///
    /// 1. A timer takes the lock, and finds an owner that is there. That keeps the owner.
    /// 2. The caller drops its session, whose last user is the timer now.
    /// 3. The timer gives the lock back, and then the owner, whose end may call a delegate of the caller.
    ///
    /// A new session has the identity of one that is gone:
    ///
    /// 1. The caller drops a session. Its inner sessions stay until they are looked at.
    /// 2. A new session is made in the same place of memory, and asks for an inner session.
    /// 3. The pool finds one by that identity. Its owner is `nil` by then, so it is refused, and another one is made.
    private static let pool = Locked(InnerSessionPool())

    /// How long a session without requests is left alone.
    private static let pause = 2.0

    /// Whether the sessions without requests will be looked at. The lock keeps two requests that end at once from two timers.
    private static let isWatching = Locked(false)

    /// Closes the sessions without requests when their owners are gone, or have not used them for long. Nothing tells the end of
    /// an owner.
    static func watchUnused() {
        let wasWatching = isWatching.withLock { isWatching in
            defer { isWatching = true }
            return isWatching
        }
        guard !wasWatching else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + pause) {
            isWatching.withLock { $0 = false }
            closeUnused()
            if pool.withLock({ $0.hasUnused }) { watchUnused() }
        }
    }

    private static func closeUnused() {
        // Looking at an owner keeps it, so that this may be its end, and that of its delegate: not under the lock.
        _ = pool.withLock { pool in
            let owners = pool.owners
            pool.closeUnused()
            return owners
        }
    }

    /// Closes the connections. There is no request any more.
    func close() {
        // Workaround: closedSession
        onWorkQueue { [self] in
            if !session.mayBeReleased() { Self.pool.withLock { $0.keep(self) } }
        }
    }
}

#endif
