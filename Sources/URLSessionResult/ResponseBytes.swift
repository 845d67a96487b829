import Foundation

/// The body of a response while it arrives, byte by byte. ``chunks`` and ``lines`` give it in larger pieces.
///
/// ```swift
/// for try await line in response.body.lines { print(line) }
/// ```
///
/// You can iterate a body once, as one of the three, because its bytes are not kept. A second iteration throws a
/// ``NetworkError/transportError(_:)`` that says so. So does the copy of an iterator that is used while the original waits.
///
/// If the body ends early, an error is thrown after the bytes that arrived: ``NetworkError/transportError(_:)`` for a lost
/// connection, for a body that is too short and for a timeout between two pieces.
///
/// The request is cancelled when you leave the loop early, when the last copy of the value goes away without an iteration,
/// and when the Swift task that iterates is cancelled. The last of these throws ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A byte of the body.
    public typealias Element = UInt8

    let source: BodySource

    init(_ stream: BodyStream) { source = BodySource(stream) }

    /// Starts to read the body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: source.takeReader()) }

    /// Reads a body byte by byte.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: BodyReader
        @usableFromInline private(set) var chunk: [UInt8] = []
        @usableFromInline var position = 0

        fileprivate init(reader: BodyReader) { self.reader = reader }

        /// Waits for the next byte.
        ///
        /// - Returns: The byte, or `nil` at the end of the body.
        /// - Throws: ``NetworkError/transportError(_:)``, also to a second reader.
        @inlinable
        public mutating func next() async throws(NetworkError) -> UInt8? {
            try await next(isolation: nil)
        }

        /// Waits for the next byte. Returns without leaving the caller's actor if the byte has arrived.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The byte, or `nil` at the end of the body.
        /// - Throws: ``NetworkError/transportError(_:)``, also to a second reader.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> UInt8? {
            if position == chunk.count {
                guard try await receive(isolation: actor) else { return nil }
            }
            defer { position += 1 }
            return chunk[position]
        }

        /// Waits for bytes, and returns whether there are any.
        @usableFromInline
        mutating func receive(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Bool {
            guard let chunk = try await reader.next() else { return false }
            self.chunk = [UInt8](chunk)
            position = 0
            return true
        }
    }
}

extension ResponseBytes {
    /// The body in the pieces in which it arrives.
    ///
    /// A piece has no meaning of its own: the network may split what the server sent at once, and everything that arrived
    /// since the last piece comes as one.
    public var chunks: Chunks { Chunks(source: source) }

    /// The body in the pieces in which it arrives.
    public struct Chunks: AsyncSequence, Sendable {
        /// A piece of the body, which is never empty.
        public typealias Element = Data

        fileprivate let source: BodySource

        /// Starts to read the body.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: source.takeReader()) }

        /// Reads a body piece by piece.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: BodyReader

            /// Waits for the next piece.
            ///
            /// - Returns: The piece, which is never empty, or `nil` at the end of the body.
            /// - Throws: ``NetworkError/transportError(_:)``, also to a second reader.
            public mutating func next() async throws(NetworkError) -> Data? {
                try await reader.next()
            }
        }
    }
}
