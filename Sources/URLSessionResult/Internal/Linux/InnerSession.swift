#if canImport(FoundationNetworking)

import Foundation

/// A session in which the requests of callers' sessions run, but for those that the caller's own tasks send: those
/// after a redirect or a challenge, all whose progress is reported, and those that a `URLProtocol` of the caller loads; or
/// else all streams.
///
/// FoundationNetworking reports progress and single pieces of a body to the delegate of a session only. So this session has
/// a delegate of its own, and of the caller's configuration no more than its number of connections: the library sends and
/// stores the cookies, finds the credentials, and gives each request its timeout and the additional header fields.
///
/// It is never closed, but used again. Closing a session that has an idle connection with TLS ends the process (libcurl 8.9
/// and later). As long as it runs requests of one caller's session, no other one's get in, so that nobody waits for somebody
/// else's connections. So there are as many as callers' sessions ever had requests in flight at once.
///
/// Its delegate queue runs an operation at once, on the work queue. With a queue of its own, what arrives would wait in memory
/// while the disk is slower than the server, piece by piece, without a limit. Here, a piece is where it belongs before the
/// next one is read: in memory, with a reader, or in a file, as FoundationNetworking itself writes a download.
///
/// Unchecked, because `pool` keeps all of them, and its lock is held on every access.
final class InnerSession: @unchecked Sendable {
    /// What no request can bring along.
    private struct Key: Equatable {
        let connectionsPerHost: Int
        let isForStreams: Bool
        let protocolClasses: [ObjectIdentifier]
        let isForHTTP: Bool
    }

    private let session: URLSession
    private let key: Key

    /// The caller's session that used it last.
    private weak var owner: URLSession?
    private var transfersInFlight = 0
    private var lastUse = Date()

    /// Whether it has had no transfer since its idle connections were closed.
    private var isEmpty = true

    private static let pool = Locked((all: [InnerSession](), isSwept: false))

    /// How many are kept for ever: empty, each is an object of FoundationNetworking and one or two descriptors of libcurl.
    private static let countToKeep = 4

    /// libcurl closes connections that have been idle for 118 s, but only when it is given another request.
    private static let idleTime: TimeInterval = 125

    private init(_ key: Key, loading protocolClasses: [AnyClass]) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = key.connectionsPerHost
        configuration.protocolClasses = protocolClasses
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // In FoundationNetworking, no response gets into a cache, and a task that is cancelled while it looks for one is
        // cancelled later, from another thread, which may be after its end. That crashes.
        configuration.urlCache = nil
        session = URLSession(
            configuration: configuration, delegate: InnerSessionDelegate(), delegateQueue: ImmediateQueue())
        self.key = key
    }

    /// The session for another transfer of the caller's session. Call `transferHasEnded(in:)` when the transfer is over.
    static func beginTransfer(
        of owner: URLSession, with configuration: URLSessionConfiguration, loader: Loader, isStream: Bool
    ) -> URLSession {
        let classes = loader == .http ? URLSessionConfiguration.classesForHTTP : configuration.protocolClasses ?? []
        let key = Key(
            connectionsPerHost: configuration.httpMaximumConnectionsPerHost, isForStreams: isStream,
            protocolClasses: classes.map { ObjectIdentifier($0) }, isForHTTP: loader == .http)
        let (session, beginsToSweep) = pool.withLock { pool in
            // The one of this session may have connections to its hosts. The latest free one has been idle for the shortest.
            let index =
                pool.all.lastIndex { $0.key == key && $0.owner === owner }
                ?? pool.all.lastIndex { $0.key == key && $0.isFree }
            let inner = index.map { pool.all.remove(at: $0) } ?? InnerSession(key, loading: classes)
            pool.all.append(inner)
            inner.owner = owner
            inner.transfersInFlight += 1
            inner.isEmpty = false
            defer { pool.isSwept = true }
            return (inner.session, !pool.isSwept)
        }
        if beginsToSweep { DispatchQueue.global().asyncAfter(deadline: .now() + idleTime, execute: sweep) }
        return session
    }

    static func transferHasEnded(in session: URLSession) {
        pool.withLock { pool in
            guard let inner = pool.all.last(where: { $0.session === session }) else { return }
            inner.transfersInFlight -= 1
            inner.lastUse = Date()
        }
    }

    /// Whether another session may have it: its own keeps its connections for a while.
    private var isFree: Bool {
        transfersInFlight == 0 && (owner == nil || lastUse < Date(timeIntervalSinceNow: -15))
    }

    // MARK: Idle connections

    /// Has libcurl close connections that nobody has used for long, or that their servers have closed.
    @Sendable private static func sweep() {
        let idle = pool.withLock { pool in
            let idle = pool.all.filter {
                $0.transfersInFlight == 0 && !$0.isEmpty && $0.lastUse < Date(timeIntervalSinceNow: -idleTime)
            }
            for inner in idle { inner.isEmpty = true }
            // The others have no connections of HTTP, and a `URLProtocol` of the caller might take the request.
            return idle.filter(\.key.isForHTTP)
        }
        for inner in idle { inner.pruneConnections() }
        // libcurl waits 2 s until a server has seen the end of a connection with TLS, and gives up at the next request.
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
            for inner in idle { inner.pruneConnections() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 5) {
                closeSpare()
                let goesOn = pool.withLock { pool in
                    pool.isSwept = pool.all.contains { !$0.isEmpty }
                    return pool.isSwept
                }
                if goesOn { DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: sweep) }
            }
        }
    }

    private func pruneConnections() {
        let isStillEmpty = Self.pool.withLock { _ in
            if isEmpty { transfersInFlight += 1 }
            return isEmpty
        }
        if isStillEmpty { session.dataTask(with: Self.requestToNobody).resume() }
    }

    private static func closeSpare() {
        let spare = pool.withLock { pool in
            let spare = Array(pool.all.filter { $0.isEmpty && $0.transfersInFlight == 0 }.dropLast(countToKeep))
            if !spare.isEmpty { pool.all.removeAll { inner in spare.contains { $0 === inner } } }
            return spare
        }
        for spare in spare { spare.session.finishTasksAndInvalidate() }
    }

    /// A request that nothing can answer: there is no port 0.
    private static let requestToNobody: URLRequest = {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:0/") ?? URL(fileURLWithPath: "/"))
        // Where a proxy gets it.
        request.setValue("close", forHTTPHeaderField: "Connection")
        return request
    }()

}

extension URLRequest {
    /// The request with what its session's configuration adds to it.
    func completed(by configuration: URLSessionConfiguration) -> URLRequest {
        var request = withWholeSeconds(sessionTimeout: configuration.timeoutIntervalForRequest)
        if request.timeoutInterval == Self.defaultTimeout {
            request.timeoutInterval = configuration.timeoutIntervalForRequest
        }
        guard request.url?.scheme == "http" || request.url?.scheme == "https" else { return request }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            let name = "\(name)"
            if request.value(forHTTPHeaderField: name) == nil { request.setValue("\(value)", forHTTPHeaderField: name) }
        }
        return request
    }
}

// Workaround: `URLSession` does not update `task.progress` and the byte counts of a task with a handler
// Instead: the library reports `progress:`
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.progress
// Upstream: not reported
// May go: nothing before `Exchange`, because redirects and challenges need it, too

#endif
