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
    /// When a connection cannot be made, breaks or ends, the sequence connects again, with the ID of the last event, after the time that
    /// the server has sent as `retry` (0.1 to 60 seconds), otherwise after three seconds. Once it was connected, it also comes back after
    /// 429, 502, 503 and 504, and waits for as long as their `Retry-After` says, if that is longer.
    ///
    /// The events end when the server answers with 204. A loop throws any other error response, an error that another attempt would not
    /// change, and `NetworkError.decodingError` with its response for a response that is no event stream.
    ///
    /// - Parameter endpoint: The endpoint. Its decoder is not used.
    /// - Returns: The events.
    public func events<T>(for endpoint: Endpoint<T>) -> NetworkSequence<ServerSentEvent> {
        events(for: endpoint) { try await Task.sleep(seconds: $0) }
    }

    /// The events, with another way to wait.
    package func events<T>(
        for endpoint: Endpoint<T>, sleep: @escaping @Sendable (TimeInterval) async throws -> Void
    ) -> NetworkSequence<ServerSentEvent> {
        NetworkSequence {
            var connections = EventConnections(sleep: sleep) { lastEventID in await connect(to: endpoint, lastEventID) }
            return { actor throws(NetworkError) in try await connections.next(isolation: actor) }
        }
    }

    @concurrent
    private func connect<T>(
        to endpoint: Endpoint<T>, _ lastEventID: String
    ) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        let codes = endpoint.statusCodes + [EventConnections.statusOfEnd]
        return await stream(endpoint, of: "text/event-stream", accepting: codes) { request in
            request.cachePolicy = .reloadIgnoringLocalCacheData
            request.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
            if !lastEventID.isEmpty { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
        }
    }
}
