import Foundation

extension APIClient {
    /// The server-sent events of an endpoint, over as many connections as that takes
    /// ([HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
    ///
    /// ```swift
    /// for try await event in client.events(for: .changes) {
    ///     print(event.data)
    /// }
    /// ```
    ///
    /// When a connection cannot be made, breaks or ends, the sequence connects again, with the ID of the last event. Until the server sends
    /// one, this is the `Last-Event-ID` of the endpoint, if it has one. The wait before is what
    /// the server has sent as `retry` (0.1 to 60 seconds), otherwise three seconds. It doubles up to a minute with each further connection
    /// that brings no event, and is shortened by chance to no less than a half. A longer `Retry-After` counts instead.
    ///
    /// A loop throws the error of a first connection that cannot be made in four attempts. Once there was a connection, it goes on
    /// without end, and also comes back after 429, 502, 503 and 504.
    ///
    /// The events end when the server answers with 204. A loop throws any other error response, an error that another attempt would not
    /// change, and `NetworkError.decodingError` with its response for a response that is no event stream. If the user signs out
    /// (``TokenAuthentication/signOut()``), the next connection throws `URLError.userAuthenticationRequired`: it is not made for another user.
    ///
    /// The last event of a connection is dropped if no empty line ends it, as the standard says.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Its decoder is not used.
    ///   - whenConnected: A function that is called with the status code and the headers of each connection, before its events. It runs off
    ///     your actor.
    ///   - whenLost: A function that decides what to do when a connection is lost, off your actor. Its arguments are the error, or `nil`
    ///     if the server ended the connection regularly, and the number of connections that were lost since the last event.
    ///     `.after(seconds:)` connects again after any error. `.never` ends the sequence, with the error if there is one. It is not asked when
    ///     the Swift task is cancelled.
    /// - Returns: The events.
    public func events<T>(
        for endpoint: Endpoint<T>, whenConnected: (@Sendable (NetworkResponse<Void>) -> Void)? = nil,
        whenLost: @escaping @Sendable (NetworkError?, Int) -> Retry.Decision = { _, _ in .usual }
    ) -> NetworkSequence<ServerSentEvent> {
        events(
            for: endpoint, whenConnected: whenConnected, whenLost: whenLost, random: { .random(in: $0) },
            sleep: { try await Task.sleep(seconds: $0) })
    }

    /// The events, with other chance and another way to wait.
    package func events<T>(
        for endpoint: Endpoint<T>, whenConnected: (@Sendable (NetworkResponse<Void>) -> Void)? = nil,
        whenLost: @escaping @Sendable (NetworkError?, Int) -> Retry.Decision = { _, _ in .usual },
        random: @escaping @Sendable (ClosedRange<TimeInterval>) -> TimeInterval,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void
    ) -> NetworkSequence<ServerSentEvent> {
        NetworkSequence {
            let user = CallUser()
            let reconnection = Reconnection(decide: whenLost, random: random)
            var connections = EventConnections(reconnection, sleep: sleep) { lastEventID in
                await connect(to: endpoint, lastEventID, of: user, reportingTo: whenConnected)
            }
            return { actor throws(NetworkError) in try await connections.next(isolation: actor) }
        }
    }

    /// Gives a connection, or nil if the server has no more events.
    @concurrent
    private func connect<T>(
        to endpoint: Endpoint<T>, _ lastEventID: String?, of user: CallUser,
        reportingTo whenConnected: (@Sendable (NetworkResponse<Void>) -> Void)?
    ) async -> Result<EventConnections.Connection?, NetworkError> {
        do throws(NetworkError) {
            let codes = endpoint.acceptedStatusCodes + [statusOfEnd]
            var sentID = ""
            let response = try await stream(endpoint, of: "text/event-stream", accepting: codes, of: user) {
                request in
                request.cachePolicy = .reloadIgnoringLocalCacheData
                request.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
                if let lastEventID {
                    request.setValue(lastEventID.isEmpty ? nil : lastEventID, forHTTPHeaderField: "Last-Event-ID")
                }
                sentID = request.value(forHTTPHeaderField: "Last-Event-ID") ?? ""
            }.get()
            guard response.statusCode != statusOfEnd else { return .success(nil) }
            // A page that asks to sign in, for example.
            guard response.isEventStream else {
                let body = await response.body.beginning()
                return .failure(.noEventStream(response.map { _ in body }))
            }
            whenConnected?(response.map { _ in })
            return .success(EventConnections.Connection(body: response.body, lastEventID: sentID))
        } catch {
            return .failure(error)
        }
    }
}

/// No Content: the client is not to connect again.
private let statusOfEnd = 204
