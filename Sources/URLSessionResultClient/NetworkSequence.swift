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

    /// Gives element by element. Its copies share the elements, and are not to wait for one at the same time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: Reader

        fileprivate init(_ nextElement: @escaping Next) { reader = Reader(nextElement) }

        /// Waits for the next element, as ``next(isolation:)`` does.
        public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> Element? {
            try await next(isolation: #isolation)
        }

        /// Waits for the next element.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element, or `nil` at the end and after an error.
        /// - Throws: The error that ends the sequence, or `NetworkError.transportError` if a copy is waiting for an element.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
            try await reader.next(isolation: actor)
        }
    }

    /// What the copies of an iterator share.
    private final class Reader {
        private enum Phase {
            case ready(Next)
            case reading
            case over
        }

        private var phase: Phase

        init(_ nextElement: @escaping Next) { phase = .ready(nextElement) }

        func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
            switch phase {
            case .ready(let next):
                phase = .reading
                return try await element(by: next, isolation: actor)
            case .reading:
                throw .transportError(BodyAlreadyReadError())
            case .over:
                return nil
            }
        }

        private func element(
            by next: @escaping Next, isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Element? {
            do throws(NetworkError) {
                let element = try await next(actor)
                phase = element == nil ? .over : .ready(next)
                return element
            } catch {
                phase = .over
                throw error
            }
        }
    }
}
