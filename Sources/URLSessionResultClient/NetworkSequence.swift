/// Elements that arrive over time: the values of a stream, the pages of a list, or events.
///
/// Each loop starts anew when it asks for its first element. After its end and after an error, an iterator gives `nil`. Leave the loop or
/// cancel the Swift task to end a request that is running.
public struct NetworkSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// A function that gives the next element, or `nil` at the end. Its argument is the actor of the caller, on which it runs.
    public typealias Next = (isolated (any Actor)?) async throws(NetworkError) -> Element?

    private let start: @Sendable () -> Next

    /// Creates a sequence of your own.
    ///
    /// - Parameter start: A function that is called for each loop, and gives the function for its elements.
    public init(_ start: @escaping @Sendable () -> Next) { self.start = start }

    /// Creates an iterator, which asks for nothing yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(start()) }

    /// Gives element by element.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil once the sequence is over, so that a connection ends at once.
        private var nextElement: Next?

        fileprivate init(_ nextElement: @escaping Next) { self.nextElement = nextElement }

        /// Waits for the next element, as ``next(isolation:)`` does.
        public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> Element? {
            try await next(isolation: #isolation)
        }

        /// Waits for the next element.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element, or `nil` at the end and after an error.
        /// - Throws: The error that ends the sequence.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
            guard let next = nextElement else { return nil }
            do throws(NetworkError) {
                if let element = try await next(actor) { return element }
            } catch {
                nextElement = nil
                throw error
            }
            nextElement = nil
            return nil
        }
    }
}
