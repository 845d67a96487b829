#if canImport(FoundationNetworking)

import Foundation

/// The inner sessions of all callers' sessions.
struct InnerSessionPool: Sendable {
    /// By the identities of their owners. When one is gone, another one may have its identity.
    private var sessions: [ObjectIdentifier: [InnerSession]] = [:]

    /// Sessions that cannot be closed. They get other owners.
    private var kept: [InnerSession] = []

    /// The number of owners up to which nobody looks for those that are gone.
    private var limit = Self.leastLimit
    private static let leastLimit = 16

    /// A request begins.
    ///
    /// - Parameters:
    ///   - kind: What it needs.
    ///   - owner: The caller's session.
    /// - Returns: The inner session in which it runs.
    mutating func begin(_ kind: InnerSession.Kind, for owner: URLSession) -> InnerSession {
        let identity = ObjectIdentifier(owner)
        for session in sessions[identity, default: []] where session.kind == kind {
            if session.use.withLock({ $0.begin(for: owner) }) { return session }
        }
        let session = takeKept(kind) ?? InnerSession(kind)
        session.use.withLock { use in
            use = InnerSession.Use(of: owner)
            _ = use.begin(for: owner)
        }
        sessions[identity, default: []].append(session)
        return session
    }

    private mutating func takeKept(_ kind: InnerSession.Kind) -> InnerSession? {
        kept.firstIndex { $0.kind == kind }.map { kept.remove(at: $0) }
    }

    /// Notices, once, that it is time to close what is unused: a program may make sessions faster than anybody looks after them.
    mutating func noticeCrowd() -> Bool {
        guard sessions.count > limit else { return false }
        limit = .max
        return true
    }

    /// Whether a session has no requests.
    var hasUnused: Bool {
        sessions.values.contains { $0.contains { session in session.use.withLock { $0.requestsInFlight == 0 } } }
    }

    /// The owners that are still there.
    var owners: [URLSession] { sessions.values.joined().compactMap { session in session.use.withLock { $0.owner } } }

    /// Closes the sessions that nobody needs any more. The caller keeps the owners meanwhile.
    ///
    /// - Parameter now: The time of a monotonic clock.
    mutating func closeUnused(at now: ContinuousClock.Instant = .now) {
        sessions = sessions.compactMapValues { sessions in
            let isOver = sessions.map { session in session.use.withLock { $0.isOver(at: now) } }
            for (session, isOver) in zip(sessions, isOver) where isOver { session.close() }
            let used = zip(sessions, isOver).filter { !$1 }.map(\.0)
            return used.isEmpty ? nil : used
        }
        limit = max(2 * sessions.count, Self.leastLimit)
    }

    /// Keeps a session that cannot be closed.
    mutating func keep(_ session: InnerSession) { kept.append(session) }
}

#endif
