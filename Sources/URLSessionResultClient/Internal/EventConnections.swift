import Foundation

/// One connection after the other, until the server has no more events or another attempt is of no use.
struct EventConnections {
    typealias Connect = @Sendable (_ lastEventID: String) async -> Result<NetworkResponse<ResponseBytes>, NetworkError>

    /// No Content: the client is not to connect again.
    static let statusOfEnd = 204

    private let sleep: @Sendable (TimeInterval) async throws -> Void
    private let connect: Connect

    private var events: ResponseBytes.Events.AsyncIterator?
    private var lastEventID = ""

    /// In seconds.
    private var wait: TimeInterval = 3
    private var wasConnected = false

    init(sleep: @escaping @Sendable (TimeInterval) async throws -> Void, connect: @escaping Connect) {
        self.sleep = sleep
        self.connect = connect
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ServerSentEvent? {
        while true {
            var wantedWait: TimeInterval = 0
            do throws(NetworkError) {
                if events == nil {
                    guard let response = try await response(isolation: actor) else { return nil }
                    events = response.body.events(lastEventID: lastEventID).makeAsyncIterator()
                    wasConnected = true
                }
                if let event = try await events?.next(isolation: actor) { return event }
            } catch {
                guard error.isTemporary || wasConnected && error.isOfBusyServer else { throw error }
                wantedWait = error.retryAfter() ?? 0
            }
            endConnection()
            do {
                try await sleep(max(wait, wantedWait))
            } catch {
                throw .transportError(code: .cancelled)
            }
        }
    }

    /// Nil when the server has no more events.
    private func response(
        isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> NetworkResponse<ResponseBytes>? {
        let response = try await connect(lastEventID).get()
        guard response.statusCode != Self.statusOfEnd else { return nil }
        // A page that asks to sign in, for example.
        guard response.isEventStream else {
            let body = await response.body.beginning()
            throw .noEventStream(response.map { _ in body })
        }
        return response
    }

    /// Keeps what the connection has said, also in a block without data.
    private mutating func endConnection() {
        guard let events else { return }
        lastEventID = events.lastEventID
        if let retry = events.retry { wait = min(max(0.1, TimeInterval(retry) / 1000), 60) }
        self.events = nil
    }
}

extension NetworkError {
    fileprivate var isOfBusyServer: Bool { [429, 502, 503, 504].contains(statusCode) }
}
