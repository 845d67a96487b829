import Foundation
internal import URLSessionResultTransport

/// Finds the server of a request. It keeps a server as long as somebody keeps its session.
final class StubbedServers: Sendable {
    private struct Entry: Sendable {
        let server: StubbedServer
        weak var stub: SessionStub?
        weak var session: URLSession?
    }

    /// Those of all stubs.
    static let all = StubbedServers()

    private let entries = Locked<[String: Entry]>([:])

    /// Begins to answer what the session of a stub requests.
    func begin(_ server: StubbedServer, of stub: SessionStub) {
        let entry = Entry(server: server, stub: stub, session: stub.session)
        entries.withLock { $0[server.id] = entry }
        endThoseWithoutSession()
    }

    func endThoseWithoutSession() {
        let gone = entries.withLock { entries in
            let gone = entries.filter { $0.value.session == nil }
            for id in gone.keys { entries[id] = nil }
            return gone
        }
        // What answers belongs to a test, and may do anything when it is released: not under the lock.
        withExtendedLifetime(gone) {}
    }

    func server(named id: String) -> StubbedServer? {
        entries.withLock { entries in entries[id].flatMap { $0.session == nil ? nil : $0.server } }
    }

    /// The server of the only stub that lives. There is none if several live: a request may be of each.
    var only: StubbedServer? {
        entries.withLock { entries in
            let living = entries.values.filter { $0.stub != nil }
            return living.count == 1 ? living.first?.server : nil
        }
    }
}
