import Foundation

/// The body of a response while it arrives, byte by byte.
///
/// ``lines``, ``events``, ``elements(_:at:invalidElements:)`` and ``chunks`` give it in larger pieces, ``collect(upTo:)`` as a whole.
///
/// ```swift
/// for try await line in response.body.lines { print(line) }
/// ```
///
/// You can read a body once, in one of these ways, because its bytes are not kept. A second reader gets a
/// ``NetworkError/transportError(_:)`` that says so. So does the copy of an iterator that is used while the original waits.
///
/// If the body ends early, an error is thrown after the bytes that arrived: ``NetworkError/transportError(_:)`` for a lost
/// connection, for a body that is too short and for a timeout between two pieces.
///
/// The request is cancelled when you leave the loop early, when the last copy of the value is released without an iteration,
/// and when the Swift task that iterates is cancelled. Then the loop throws ``NetworkError/transportError(_:)`` with
/// `URLError.cancelled`, even if more has arrived; only an iterator of bytes may give up to 16 kB of it first. After an
/// error and after the end, iterators give `nil`.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A byte of the body.
    public typealias Element = UInt8

    let source: BodySource

    init(_ stream: BodyStream, of response: URLResponse) { source = BodySource(stream, of: response) }

    /// Starts to read the body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: source.takeReader()) }

    /// Reads a body byte by byte.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: BodyReader

        /// What has arrived and is not in the chunk.
        private var rest = Data()
        @usableFromInline private(set) var chunk: [UInt8] = []
        @usableFromInline var position = 0

        fileprivate init(reader: BodyReader) { self.reader = reader }

        /// Waits for the next byte, as ``next(isolation:)`` does.
        @inlinable
        public nonisolated(nonsending) mutating func next() async throws(NetworkError) -> UInt8? {
            try await next(isolation: #isolation)
        }

        /// Waits for the next byte. Returns without leaving the caller's actor if it has arrived.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The byte, or `nil` at the end of the body.
        /// - Throws: ``NetworkError/transportError(_:)``, including that of a second reader.
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
            if rest.isEmpty || Task.isCancelled {
                rest = Data()
                guard let arrived = try await reader.next(isolation: actor) else { return false }
                rest = arrived
            }
            chunk = [UInt8](rest.prefix(Self.chunkSize))
            rest = rest.dropFirst(Self.chunkSize)
            position = 0
            return true
        }

        /// The number of bytes between two checks for a cancellation. A check before each byte would cost more than the byte.
        private static let chunkSize = 16 * 1024
    }
}

extension ResponseBytes {
    /// Reads the body to its end, unless it is larger than you can use.
    ///
    /// ```swift
    /// let page = try await response.body.collect(upTo: 1_000_000)
    /// ```
    ///
    /// A body that is too large is not read further, and its request is cancelled.
    ///
    /// - Parameter maximumByteCount: How many bytes the body may have, after any content encoding such as gzip is removed.
    /// - Returns: The body.
    /// - Throws: ``NetworkError/transportError(_:)``: with `URLError.dataLengthExceedsMaximum` for a body that is too large,
    ///   with the reason why the body ended early, or as a second reader gets it.
    @concurrent
    public func collect(upTo maximumByteCount: Int) async throws(NetworkError) -> Data {
        try await collect(upTo: maximumByteCount) { _ in }
    }

    /// Reads the body to its end, and reports after each piece how many bytes there are.
    @concurrent
    package func collect(
        upTo maximumByteCount: Int, reportingCount report: @Sendable (Int) -> Void
    ) async throws(NetworkError) -> Data {
        let reader = source.takeReader()
        var body = Data()
        while let chunk = try await reader.next(isolation: nil) {
            guard chunk.count <= maximumByteCount - body.count else {
                throw .transportError(code: .dataLengthExceedsMaximum)
            }
            body.append(chunk)
            report(body.count)
        }
        return body
    }

    /// Calls a function when the request is over: its body has arrived or is cut off, or the request is cancelled, for example
    /// because nobody can read the body any more.
    package func whenOver(_ observer: @escaping @Sendable () -> Void) { source.whenOver(observer) }
}
