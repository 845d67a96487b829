import Foundation
internal import URLSessionResultTransport

/// Finds the server of a request. It keeps a server as long as somebody keeps its session.
final class StubbedServers: Sendable {
    private struct Entry: Sendable {
        let server: StubbedServer
        weak var stub: SessionStub?
        weak var session: URLSession?
    }

    /// What has to be released without the lock: answers belong to a test, and their `deinit` may do anything. A session is kept
    /// while it is looked at, so this may be its last reference.
    private struct Leftovers: Sendable {
        var gone: [Entry] = []
        var sessions: [URLSession] = []
    }

    private struct State: Sendable {
        var entries: [String: Entry] = [:]

        /// How many entries there were after `removeThoseWithoutSession()`.
        var lastCount = 0

        /// Takes out those whose session is gone.
        mutating func removeThoseWithoutSession() -> Leftovers {
            var leftovers = Leftovers()
            for (id, entry) in entries {
                if let session = entry.session {
                    leftovers.sessions.append(session)
                } else {
                    entries[id] = nil
                    leftovers.gone.append(entry)
                }
            }
            lastCount = entries.count
            return leftovers
        }

        /// Whether to look through all entries. If there are many, not each time: the whole time would be quadratic in their
        /// number.
        var needsSearch: Bool { entries.count <= 64 || entries.count >= 2 * lastCount }
    }

    /// Those of all stubs.
    static let all = StubbedServers()

    private let state = Locked(State())

    /// Begins to answer what the session of a stub requests.
    func begin(_ server: StubbedServer, of stub: SessionStub) {
        let entry = Entry(server: server, stub: stub, session: stub.session)
        _ = state.withLock { state in
            state.entries[server.id] = entry
            return state.needsSearch ? state.removeThoseWithoutSession() : Leftovers()
        }
    }

    /// Ends a server whose stub is gone, unless somebody keeps the session.
    func end(_ id: String) {
        _ = state.withLock { state in
            if state.needsSearch { return state.removeThoseWithoutSession() }
            guard let entry = state.entries[id] else { return Leftovers() }
            if let session = entry.session { return Leftovers(sessions: [session]) }
            state.entries[id] = nil
            return Leftovers(gone: [entry])
        }
    }

    /// Finds the server that answers a request.
    ///
    /// - Parameters:
    ///   - request: The request. A field of the configuration names the server.
    ///   - isShown: Whether the fields of the configuration can be seen in a request. If not, a request without the field is
    ///     answered by the only stub that lives.
    /// - Returns: The server.
    /// - Throws: A `URLError` that says what is wrong with the test.
    func server(of request: URLRequest, showingFields isShown: Bool) throws -> StubbedServer {
        guard let id = request.value(forHTTPHeaderField: StubbedServer.field) else {
            if !isShown, let only { return only }
            throw URLError(
                .unsupportedURL, "The httpAdditionalHeaders of the session's configuration name no SessionStub.")
        }
        guard let server = server(named: id) else {
            throw URLError(
                .cannotConnectToHost, "The SessionStub is gone. Keep it, or its session, until the test is over.")
        }
        return server
    }

    private func server(named id: String) -> StubbedServer? {
        let (server, session) = state.withLock { ($0.entries[id]?.server, $0.entries[id]?.session) }
        return session == nil ? nil : server
    }

    /// The server of the only stub that lives. There is none if several live: a request may be of each.
    private var only: StubbedServer? {
        let living = state.withLock { state in
            Array(state.entries.values.lazy.compactMap { entry in entry.stub.map { ($0, entry.server) } }.prefix(2))
        }
        return living.count == 1 ? living[0].1 : nil
    }
}
