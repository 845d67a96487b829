import Foundation
internal import URLSessionResultTransport

/// Finds the server of a request. It keeps a server as long as somebody keeps its session.
final class StubbedServers: Sendable {
    private struct Entry: Sendable {
        let server: StubbedServer
        weak var stub: SessionStub?
        weak var session: URLSession?
    }

    private struct State: Sendable {
        var entries: [String: Entry] = [:]

        /// How many there were after the last look through all of them.
        var lastCount = 0

        /// Takes out those whose session is gone.
        mutating func removeThoseWithoutSession() -> [Entry] {
            let gone = entries.filter { $0.value.session == nil }
            for id in gone.keys { entries[id] = nil }
            lastCount = entries.count
            return Array(gone.values)
        }

        /// To look through all of many each time would take a time that is quadratic in their number.
        var isToBeLookedThrough: Bool { entries.count <= 64 || entries.count >= 2 * lastCount }
    }

    /// Those of all stubs.
    static let all = StubbedServers()

    private let state = Locked(State())

    /// Begins to answer what the session of a stub requests.
    func begin(_ server: StubbedServer, of stub: SessionStub) {
        let entry = Entry(server: server, stub: stub, session: stub.session)
        let gone = state.withLock { state in
            state.entries[server.id] = entry
            return state.isToBeLookedThrough ? state.removeThoseWithoutSession() : []
        }
        // What answers belongs to a test, and may do anything when it is released: not under the lock.
        withExtendedLifetime(gone) {}
    }

    /// Ends a server whose stub is gone, unless somebody keeps the session.
    func end(_ id: String) {
        let gone = state.withLock { state in
            if state.isToBeLookedThrough { return state.removeThoseWithoutSession() }
            guard let entry = state.entries[id], entry.session == nil else { return [] }
            state.entries[id] = nil
            return [entry]
        }
        withExtendedLifetime(gone) {}
    }

    func server(named id: String) -> StubbedServer? {
        state.withLock { state in state.entries[id].flatMap { $0.session == nil ? nil : $0.server } }
    }

    /// The server of the only stub that lives. There is none if several live: a request may be of each.
    var only: StubbedServer? {
        state.withLock { state in
            var living = state.entries.values.lazy.filter { $0.stub != nil }.makeIterator()
            let first = living.next()
            return living.next() == nil ? first?.server : nil
        }
    }
}
