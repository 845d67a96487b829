import Foundation

/// One connection after the other, until the server has no more events or another attempt is of no use.
struct EventConnections {
    /// A body that is an event stream, and the ID of the last event before, as its request had it.
    struct Connection: Sendable {
        let body: ResponseBytes
        let lastEventID: String
    }

    /// Connects, with the ID that the endpoint has if it is given none. Gives nil when the server has no more events.
    typealias Connect = @Sendable (_ lastEventID: String?) async -> Result<Connection?, NetworkError>

    private let sleep: @Sendable (TimeInterval) async throws -> Void
    private let connect: Connect

    private var reconnection: Reconnection
    private var events: ResponseBytes.Events.AsyncIterator?

    /// Nil before the first connection. Empty if the server has reset it.
    private var lastEventID: String?

    init(
        _ reconnection: Reconnection, sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        connect: @escaping Connect
    ) {
        self.reconnection = reconnection
        self.sleep = sleep
        self.connect = connect
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ServerSentEvent? {
        while true {
            let reason: NetworkError?
            do throws(NetworkError) {
                if events == nil {
                    guard let connection = try await connect(lastEventID).get() else { return nil }
                    events = connection.body.events(lastEventID: connection.lastEventID).makeAsyncIterator()
                    reconnection.connected()
                }
                if let event = try await events?.next(isolation: actor) {
                    reconnection.received()
                    return event
                }
                reason = nil
            } catch {
                reason = error
            }
            endConnection()
            // The connection may have ended in another way at the same time.
            guard !Task.isCancelled else { throw .transportError(code: .cancelled) }
            guard let wait = await reconnection.wait(after: reason) else {
                if let reason { throw reason }
                return nil
            }
            do {
                try await sleep(wait)
            } catch {
                throw .transportError(code: .cancelled)
            }
        }
    }

    /// Keeps what the connection has said, also in a block without data.
    private mutating func endConnection() {
        lastEventID = events?.lastEventID ?? lastEventID
        reconnection.lost(retry: events?.retry)
        events = nil
    }
}
