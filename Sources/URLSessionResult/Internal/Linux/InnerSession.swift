#if canImport(FoundationNetworking)

import Foundation

/// A session in which the requests of one caller's session run, but for those that the caller's own tasks send: those
/// after a redirect or a challenge, all whose progress is reported, and those that a `URLProtocol` of the caller loads; or
/// else all streams.
///
/// FoundationNetworking reports progress and single pieces of a body to the delegate of a session only. So this session has
/// a delegate of its own, and the configuration of the caller's session: its credentials, and its number of connections. The
/// library sends and stores the cookies. The requests share the session, because a session each would be a connection each,
/// which no limit holds for and nobody uses again. Streams have one of their own, because they may keep their connections for
/// hours.
///
/// Its delegate queue runs an operation at once, on the work queue. With a queue of its own, what arrives would wait in memory
/// while the disk is slower than the server, piece by piece, without a limit. Here, a piece is where it belongs before the
/// next one is read: in memory, with a reader, or in a file, as FoundationNetworking itself writes a download.
///
/// It is closed soon after the caller's session is gone, or when nobody has used it for a while. A timer looks for both,
/// because FoundationNetworking does not say when a session is invalidated or released.
///
/// Unchecked, because `openSessions` keeps all of them, and its lock is held on every access.
final class InnerSession: @unchecked Sendable {
    private let session: URLSession
    private let isForStreams: Bool
    private weak var owner: URLSession?
    private var transfersInFlight = 0
    private var lastUse = Date()

    private static let openSessions = Locked((all: [InnerSession](), areWatched: false))

    private init(of owner: URLSession, isForStreams: Bool) {
        session = URLSession(
            configuration: owner.configuration.forInnerSession, delegate: InnerSessionDelegate(),
            delegateQueue: ImmediateQueue<Never>())
        self.isForStreams = isForStreams
        self.owner = owner
    }

    /// The session for another transfer of the caller's session. Call `transferHasEnded(in:)` when the transfer is over.
    static func beginTransfer(of owner: URLSession, isStream: Bool) -> URLSession {
        closeUnused()
        return openSessions.withLock { open in
            let found = open.all.first { $0.owner === owner && $0.isForStreams == isStream }
            let inner = found ?? InnerSession(of: owner, isForStreams: isStream)
            if found == nil { open.all.append(inner) }
            if !open.areWatched { scheduleCheck() }
            open.areWatched = true
            inner.transfersInFlight += 1
            return inner.session
        }
    }

    static func transferHasEnded(in session: URLSession) {
        openSessions.withLock { open in
            guard let inner = open.all.first(where: { $0.session === session }) else { return }
            inner.transfersInFlight -= 1
            inner.lastUse = Date()
        }
    }

    // MARK: Closing

    private static func scheduleCheck() {
        after(1) {
            closeUnused()
            let goesOn = openSessions.withLock { open in
                open.areWatched = !open.all.isEmpty
                return open.areWatched
            }
            if goesOn { scheduleCheck() }
        }
    }

    private static func closeUnused() {
        let unused = openSessions.withLock { open in
            let unused = open.all.filter { $0.isUnused }
            if !unused.isEmpty { open.all = open.all.filter { !$0.isUnused } }
            return unused
        }
        for unused in unused { unused.session.finishTasksAndInvalidate() }
    }

    private var isUnused: Bool {
        transfersInFlight == 0 && (owner == nil || lastUse < Date(timeIntervalSinceNow: -15))
    }
}

extension URLSessionConfiguration {
    /// A copy that leaves cookies to the library, and has no cache. In FoundationNetworking, no response gets into a cache, and
    /// a task that is cancelled while it looks for one is cancelled later, from another thread, which may be after its end.
    /// That crashes.
    fileprivate var forInnerSession: URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else { return self }
        copy.httpShouldSetCookies = false
        copy.httpCookieAcceptPolicy = .never
        copy.urlCache = nil
        return copy
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
