extension ResponseBytes {
    /// The body line by line, as UTF-8.
    ///
    /// LF, CRLF and CR end a line. Empty lines are kept. A last line without an end counts, but not when an error ends the
    /// body: then it may be half a line.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, and a byte order mark stays in the first line. A line is held in memory until its end arrives, however long it is.
    public var lines: Lines { Lines(source: source) }

    /// The body line by line.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end.
        public typealias Element = String

        let source: BodySource

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: LineReader(of: source)) }

        /// Reads a body line by line.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var lines: LineReader

            /// Waits for the next line, as ``next(isolation:)`` does.
            public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> String? {
                try await next(isolation: #isolation)
            }

            /// Waits for the next line. Returns without leaving the caller's actor if it has arrived.
            ///
            /// - Parameter actor: The caller's actor.
            /// - Returns: The line without its end, or `nil` at the end of the body.
            /// - Throws: ``NetworkError/transportError(_:)``, including that of a second reader.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> String? {
                try await lines.next(isolation: actor).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}
