import Foundation
internal import URLSessionResultJSON

extension ResponseBytes {
    /// The elements of one JSON array, or the values of one JSON object, while the document arrives.
    ///
    /// Use it for a large document: you get the first element before the last byte, and memory holds few elements at a time.
    ///
    /// ```swift
    /// // {"data": {"items": [{"name": "Blue"}, {"name": "Hejira"}]}}
    /// let albums = response.body.elements(
    ///     .json(Album.self), at: "data.items")
    /// for try await album in albums {
    ///     print(album.name)
    /// }
    /// ```
    ///
    /// An array gives its elements. An object gives its values in the order of the document; if two keys are equal, the
    /// first counts, and the keys are kept in memory for that. `null` gives nothing.
    ///
    /// An element that cannot be decoded throws ``NetworkError/decodingError(_:response:)``. Its underlying error is a
    /// `DecodingError`, whose coding path begins with `keyPath` and the index of the element, and its response has the
    /// element as its body. The elements go on: an iterator that you use yourself gives the next one afterwards. A `for` loop
    /// ends there, and leaves the stream. To leave out such elements, give `invalidElements: .skip { … }`.
    ///
    /// If `JSONDecoder` would reject the document as a whole, a ``NetworkError/decodingError(_:response:)`` follows the elements
    /// before the malformed place, even if that place is after the array. The same error comes for a document in another encoding
    /// than UTF-8, and for a path that leads to nothing, or to a value that is neither array, object nor `null`. Then nothing
    /// follows, and the request is cancelled. The response has the part of the body that is in memory, from the malformed element
    /// on.
    ///
    /// The time is linear in the size of the document, even for one element of many megabytes. An element or a key is held in
    /// memory until its end arrives, however long it is. What surrounds the array is skipped.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for an element. It is called off your actor, with the bytes of the element as a body, for up to 64
    ///     elements that have arrived before you ask for the first of them. Inside it, coding paths begin at the element. Any decoder
    ///     will do, for example ``ResultDecoder/data``.
    ///   - keyPath: The path to the array or object, as in ``ResultDecoder/json(_:at:using:)``, with names as the document has
    ///     them.
    ///   - invalidElements: What to do with an element that cannot be decoded. Each that is skipped is reported when it is decoded, off
    ///     your actor and in order. Positions count the elements, from 0 on.
    /// - Returns: The elements.
    public func elements<T>(
        _ decoder: ResultDecoder<T>, at keyPath: String = "", invalidElements: InvalidElements = .fail
    ) -> Elements<T> {
        Elements(source: source, decoder: decoder, path: JSONKeyPath(keyPath), invalidElements: invalidElements)
    }

    /// The elements of a JSON array, or the values of a JSON object, in a body.
    public struct Elements<Element>: AsyncSequence, Sendable {
        fileprivate let source: BodySource
        fileprivate let decoder: ResultDecoder<Element>
        fileprivate let path: JSONKeyPath
        fileprivate let invalidElements: InvalidElements

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator {
            let document = JSONElementSplitter(at: path)
            return AsyncIterator(
                source: source, decoder: decoder, invalidElements: invalidElements, document: document,
                reader: source.takeReader())
        }

        /// Reads a body element by element.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// The body. Its response is not stored here, because `dump(_:)` of an iterator would show the URL.
            fileprivate let source: BodySource
            fileprivate let decoder: ResultDecoder<Element>
            fileprivate let invalidElements: InvalidElements
            fileprivate var document: JSONElementSplitter

            /// Nil after the end of the document, and after an error in it: then the rest of the body is not needed.
            fileprivate var reader: BodyReader?

            /// What was decoded and not given yet, the next element last.
            fileprivate var decoded: [Result<Element, NetworkError>] = []

            /// How many elements were decoded, with the invalid ones.
            fileprivate var count = 0

            /// The error of the document that comes after the elements that were decoded.
            fileprivate var malformation: NetworkError?

            /// How many elements are decoded at once, and about how many bytes of them. They are decoded in groups, because leaving
            /// the caller's actor takes longer than decoding a short element.
            private static var mostElementsAtOnce: Int { 64 }
            private static var mostBytesAtOnce: Int { 64 * 1024 }

            /// Waits for the next element, as ``next(isolation:)`` does.
            public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> Element? {
                try await next(isolation: #isolation)
            }

            /// Waits for the next element.
            ///
            /// - Parameter actor: The caller's actor.
            /// - Returns: The element, or `nil` at the end of the document.
            /// - Throws: ``NetworkError/decodingError(_:response:)`` for this element or for the document, or
            ///   ``NetworkError/transportError(_:)``, including that of a second reader; or the `NetworkError` that the
            ///   decoder throws. A cancelled task does not get what has arrived.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
                while let reader {
                    if !Task.isCancelled, let element = try await nextArrived() {
                        return try element.get()
                    }
                    let piece: Data?
                    do {
                        piece = try await reader.next(isolation: actor)
                    } catch {
                        // The document is not complete, and what has arrived of it is dropped.
                        self.reader = nil
                        throw error
                    }
                    if let piece {
                        document.append(piece)
                    } else {
                        self.reader = nil
                        try read { document in try document.finish() }
                    }
                }
                return nil
            }

            /// Gives the next element whose end has arrived, and decodes more of them if there is none.
            private nonisolated(nonsending) mutating func nextArrived() async throws(NetworkError) -> Result<
                Element, NetworkError
            >? {
                // Each round may skip all of its elements.
                while decoded.isEmpty, !Task.isCancelled {
                    let elements = try takeArrived()
                    guard !elements.isEmpty else { return nil }
                    decoded = await decoder.decode(
                        elements, from: count, of: source.response, orTreatAs: invalidElements)
                    decoded.reverse()
                    count += elements.count
                }
                return decoded.popLast()
            }

            private mutating func takeArrived() throws(NetworkError) -> [JSONElement] {
                var elements: [JSONElement] = []
                var size = 0
                do throws(NetworkError) {
                    if let malformation { throw malformation }
                    while elements.count < Self.mostElementsAtOnce, size < Self.mostBytesAtOnce,
                        let element = try read({ document in try document.next() })
                    {
                        elements.append(element)
                        size += element.bytes.count
                    }
                } catch {
                    malformation = error
                    guard !elements.isEmpty else {
                        reader = nil
                        throw error
                    }
                }
                return elements
            }

            private mutating func read<T>(_ read: (inout JSONElementSplitter) throws -> T) throws(NetworkError) -> T {
                do {
                    return try read(&document)
                } catch {
                    throw received(Data(document.bytes)).decodingError(error)
                }
            }

            private func received(_ data: Data) -> ReceivedBody { ReceivedBody(data: data, response: source.response) }
        }
    }
}
