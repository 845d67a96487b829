import Foundation

extension ResponseBytes {
    /// The value of each line, as for newline-delimited JSON (NDJSON, JSON Lines).
    ///
    /// ```swift
    /// let albums = response.body.values(.json(Album.self))
    /// for try await album in albums { print(album.name) }
    /// ```
    ///
    /// Lines end as in ``lines``; empty ones are left out. A line that cannot be decoded throws
    /// ``NetworkError/decodingError(_:response:)``. Its underlying error is a `DecodingError`, whose coding path begins with
    /// the number of the line (from 1 on), and its response has the line as its body. The stream goes on: an iterator that
    /// you use yourself gives the next line afterwards. A `for` loop ends there, and leaves the stream.
    ///
    /// - Parameter decoder: The decoder for a line. It is called off your actor.
    /// - Returns: The values.
    public func values<T>(_ decoder: ResultDecoder<T>) -> Values<T> { Values(source: source, decoder: decoder) }

    /// The value of each line of a body.
    public struct Values<Element>: AsyncSequence, Sendable {
        fileprivate let source: BodySource
        fileprivate let decoder: ResultDecoder<Element>

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: StreamedValueReader(of: source, as: .lines, decoder: decoder))
        }

        /// Reads a body value by value.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var reader: StreamedValueReader<Element>

            /// Waits for the next value, as ``next(isolation:)`` does.
            public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> Element? {
                try await next(isolation: #isolation)
            }

            /// Waits for the next value.
            ///
            /// - Parameter actor: The caller's actor.
            /// - Returns: The value, or `nil` at the end of the body.
            /// - Throws: ``NetworkError/decodingError(_:response:)`` for this line, or
            ///   ``NetworkError/transportError(_:)``, including that of a second reader; or the
            ///   `NetworkError` that the decoder throws.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
                try await reader.next(isolation: actor)
            }
        }
    }
}
