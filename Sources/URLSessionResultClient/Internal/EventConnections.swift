import Foundation

/// One connection after the other, until the server has no more events or another attempt is of no use.
struct EventConnections {
    /// Gives the response, whose body is an event stream, or nil when the server has no more events.
    typealias Connect = @Sendable (_ lastEventID: String) async -> Result<ResponseBytes?, NetworkError>

    private let sleep: @Sendable (TimeInterval) async throws -> Void
    private let connect: Connect

    private var reconnection: Reconnection
    private var events: ResponseBytes.Events.AsyncIterator?
    private var lastEventID = ""

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
                    guard let body = try await connect(lastEventID).get() else { return nil }
                    events = body.events(lastEventID: lastEventID).makeAsyncIterator()
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
