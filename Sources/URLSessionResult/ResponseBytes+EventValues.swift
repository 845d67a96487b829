import Foundation

extension ResponseBytes.Events {
    /// The data of each event, decoded, as for the stream of a language model.
    ///
    /// ```swift
    /// let parts = response.body.events.values(.json(ChatPart.self))
    /// for try await part in parts { print(part.text) }
    /// ```
    ///
    /// Data that cannot be decoded throws ``NetworkError/decodingError(_:response:)``. Its underlying error is a `DecodingError`, whose
    /// coding path begins with the number of the event (from 1 on), and its response is that of ``ServerSentEvent/decode(with:)``. The
    /// stream goes on: an iterator that you use yourself gives the next value afterwards.
    ///
    /// - Parameter decoder: The decoder for the data of an event. It is called off your actor.
    /// - Returns: The values.
    public func values<T>(_ decoder: ResultDecoder<T>) -> Values<T> { Values(events: self, decoder: decoder) }

    /// The decoded data of the events of a body.
    public struct Values<Element>: AsyncSequence, Sendable {
        fileprivate let events: ResponseBytes.Events
        fileprivate let decoder: ResultDecoder<Element>

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator {
            let reader = StreamedValueReader(
                of: events.source, as: .events, decoder: decoder, lastEventID: events.lastEventID)
            return AsyncIterator(reader: reader)
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
            /// - Throws: ``NetworkError/decodingError(_:response:)`` for this event or for a body that is no event stream, or
            ///   ``NetworkError/transportError(_:)``, including that of a second reader; or the
            ///   `NetworkError` that the decoder throws.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
                try await reader.next(isolation: actor)
            }
        }
    }
}
