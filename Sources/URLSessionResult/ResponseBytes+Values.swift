import Foundation

extension ResponseBytes.Lines {
    /// The value of each line, as for newline-delimited JSON (NDJSON, JSON Lines).
    ///
    /// ```swift
    /// let albums = response.body.lines.values(.json(Album.self))
    /// for try await album in albums { print(album.name) }
    /// ```
    ///
    /// Empty lines are left out. A line that cannot be decoded throws ``NetworkError/decodingError(_:response:)``. Its underlying error
    /// is a `DecodingError`, whose coding path begins with the number of the line (from 1 on), and its response has the line as its
    /// body. The stream goes on: an iterator that you use yourself gives the next line afterwards. A `for` loop ends there, and
    /// leaves the stream.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for a line. It is called off your actor.
    ///   - invalidElements: What to do with a line that cannot be decoded. Each that is skipped is reported when it arrives, off your
    ///     actor. The position counts the lines that are not empty, from 0 on; the number in the error counts all lines, from 1 on.
    /// - Returns: The values.
    public func values<T>(
        _ decoder: ResultDecoder<T>, invalidElements: InvalidElements = .fail
    ) -> ResponseBytes.Values<T> {
        ResponseBytes.Values(source: source, form: .lines, decoder: decoder, invalidElements: invalidElements)
    }
}

extension ResponseBytes.Events {
    /// The data of each event, decoded, as for the stream of a language model.
    ///
    /// ```swift
    /// let parts = response.body.events.values(
    ///     .json(ChatPart.self), until: "[DONE]")
    /// for try await part in parts { print(part.text) }
    /// ```
    ///
    /// Data that cannot be decoded throws ``NetworkError/decodingError(_:response:)``. Its underlying error is a `DecodingError`, whose
    /// coding path begins with the number of the event (from 1 on), and its response is that of ``ServerSentEvent/decode(with:)``. The
    /// stream goes on: an iterator that you use yourself gives the next value afterwards.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for the data of an event. It is called off your actor.
    ///   - end: The data of the event that ends the values. It is not decoded, and the request is cancelled there. With `nil`, the
    ///     values end with the body.
    ///   - invalidElements: What to do with data that cannot be decoded. Each event that is skipped is reported when it arrives, off
    ///     your actor. The position counts the events from 0 on, and the number in the error from 1 on.
    /// - Returns: The values.
    public func values<T>(
        _ decoder: ResultDecoder<T>, until end: String? = nil, invalidElements: InvalidElements = .fail
    ) -> ResponseBytes.Values<T> {
        ResponseBytes.Values(
            source: source, form: .events, decoder: decoder, lastEventID: lastEventID, end: end,
            invalidElements: invalidElements)
    }
}

extension ResponseBytes {
    /// The values of a body: of each of its lines, or of the data of each of its events.
    public struct Values<Element>: AsyncSequence, Sendable {
        fileprivate let source: BodySource
        fileprivate let form: ValueForm
        fileprivate let decoder: ResultDecoder<Element>
        fileprivate var lastEventID = ""
        fileprivate var end: String?
        fileprivate let invalidElements: InvalidElements

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator {
            let reader = StreamedValueReader(
                of: source, as: form, decoder: decoder, lastEventID: lastEventID,
                end: StreamEnd(data: end, includesUnfinishedEvent: false), invalidElements: invalidElements)
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
            /// - Throws: ``NetworkError/decodingError(_:response:)`` for this line or event, or for a body that is no event stream; or
            ///   ``NetworkError/transportError(_:)``, including that of a second reader; or the `NetworkError` that the
            ///   decoder throws.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
                try await reader.next(isolation: actor)
            }
        }
    }
}
