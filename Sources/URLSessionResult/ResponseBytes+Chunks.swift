import Foundation

extension ResponseBytes {
    /// The body in the pieces in which it arrives.
    ///
    /// A piece has no meaning of its own: the network may split what the server sent at once, and pieces that wait for the reader
    /// are joined.
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

            /// Waits for the next piece, as ``next(isolation:)`` does.
            public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> Data? {
                try await next(isolation: #isolation)
            }

            /// Waits for the next piece. Returns without leaving the caller's actor if it has arrived.
            ///
            /// - Parameter actor: The caller's actor.
            /// - Returns: The piece, which is never empty, or `nil` at the end of the body.
            /// - Throws: ``NetworkError/transportError(_:)``, including that of a second reader.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
                try await reader.next(isolation: actor)
            }
        }
    }
}
