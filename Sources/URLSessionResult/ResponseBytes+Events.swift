import Foundation

extension ResponseBytes {
    /// The server-sent events of the body, by the rules of the
    /// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
    ///
    /// ```swift
    /// for try await event in response.body.events {
    ///     print(event.name, event.data)
    /// }
    /// ```
    ///
    /// A block of lines without `data` is no event, and neither is the last one if no empty line ends it. The body is read as
    /// UTF-8, whatever its `Content-Type` says; other bytes become U+FFFD. An event is held in memory until its end
    /// arrives, however long it is.
    ///
    /// A body that is no event stream, such as a page or JSON, throws ``NetworkError/decodingError(_:response:)`` at its end:
    /// one with no line that the standard knows, neither a field nor a comment. The error names the content type, and its
    /// response has the first 1 MiB of the body. An empty body has no events, and is no error.
    ///
    /// The events end with the body. To reconnect, use `events(for:whenConnected:whenLost:)` of `URLSessionResultClient`. Its
    /// `values(for:as:until:invalidElements:)` keeps the last event of a body that ended regularly.
    public var events: Events { events() }

    /// The server-sent events of a body that goes on where another one ended.
    ///
    /// ``ServerSentEvent/id`` of the first events is this ID, until the server gives another one.
    ///
    /// - Parameter lastEventID: The request's `Last-Event-ID`, which is ``Events/AsyncIterator/lastEventID`` of the connection
    ///   before.
    /// - Returns: The events, as ``events`` gives them.
    public func events(lastEventID: String = "") -> Events { Events(source: source, lastEventID: lastEventID) }

    /// The server-sent events of a body.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = ServerSentEvent

        let source: BodySource
        let lastEventID: String

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source, lastEventID: lastEventID) }

        /// Reads a body event by event.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var lines: LineReader
            private var parser: EventParser

            fileprivate init(source: BodySource, lastEventID: String) {
                lines = LineReader(of: source, keepingBeginning: true)
                parser = EventParser(lastEventID: lastEventID)
            }

            /// The last event ID: what to send as `Last-Event-ID` when you reconnect. Unlike ``ServerSentEvent/id``, it also
            /// counts an `id` in a block without `data`. It is empty if there is none.
            ///
            /// An `id` in a block that no empty line has ended does not count yet, as the standard says.
            public var lastEventID: String { parser.lastEventID }

            /// How long to wait before you reconnect, in milliseconds: what the latest `retry` field said, even without `data`,
            /// or `nil` if there was none.
            public var retry: Int? { parser.retry }

            /// Waits for the next event, as ``next(isolation:)`` does.
            public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> ServerSentEvent? {
                try await next(isolation: #isolation)
            }

            /// Waits for the next event. Returns without leaving the caller's actor if it has arrived.
            ///
            /// - Parameter actor: The caller's actor.
            /// - Returns: The event, or `nil` at the end of the body.
            /// - Throws: ``NetworkError/transportError(_:)``, including that of a second reader, or
            ///   ``NetworkError/decodingError(_:response:)`` at the end of a body that is no event stream.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(NetworkError) -> ServerSentEvent? {
                try await lines.nextEvent(by: &parser, isolation: actor)
            }
        }
    }
}
