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
    /// UTF-8 whatever its `Content-Type` says; bytes that are not become U+FFFD. An event is held in memory until its end
    /// arrives, however long it is.
    ///
    /// The events end with the body. Nothing connects again: <doc:ReconnectToEvents> shows how.
    public var events: Events { Events(source: source) }

    /// The server-sent events of a body.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = ServerSentEvent

        fileprivate let source: BodySource

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: LineReader(of: source)) }

        /// Reads a body event by event.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var lines: LineReader
            private var parser = EventParser()

            fileprivate init(lines: LineReader) { self.lines = lines }

            /// Waits for the next event, as ``next(isolation:)`` does.
            public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
                try await next(isolation: nil)
            }

            /// Waits for the next event. Returns without leaving the caller's actor if it has arrived.
            ///
            /// - Parameter actor: The caller's actor.
            /// - Returns: The event, or `nil` at the end of the body.
            /// - Throws: ``NetworkError/transportError(_:)``, also to a second reader.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(NetworkError) -> ServerSentEvent? {
                while let line = try await lines.next(isolation: actor) {
                    if let event = parser.take(line) { return event }
                }
                return nil
            }
        }
    }
}
