import Foundation

/// Reads a body line by line, as bytes.
struct LineReader {
    /// The body. Its response is not stored here, because `dump(_:)` of an iterator would show the URL.
    let source: BodySource
    private let reader: BodyReader
    private var splitter = LineSplitter()

    /// Whether the body has ended. A line that is given then has no line end.
    private(set) var isOver = false

    /// The first bytes of the body, as they came, until they are taken.
    private var beginning: Data?

    /// - Parameters:
    ///   - source: The body.
    ///   - keepingBeginning: Whether the first bytes are kept until they are taken.
    init(of source: BodySource, keepingBeginning: Bool = false) {
        self.source = source
        reader = source.takeReader()
        beginning = keepingBeginning ? Data() : nil
    }

    /// Waits for the next line. Returns without leaving the caller's actor if the line has arrived.
    ///
    /// - Returns: The line without its end, or `nil` at the end of the body.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ArraySlice<UInt8>? {
        while true {
            // A cancelled reader gets none of the lines that have arrived, however many there are.
            if !Task.isCancelled, let line = splitter.next() { return line }
            guard let chunk = try await nextChunk(isolation: actor) else {
                isOver = true
                return splitter.finish()
            }
            beginning?.keep(chunk)
            splitter.append(chunk)
        }
    }

    /// Takes the first bytes of the body, which are not kept any longer. Nil if they were not kept, or have been taken.
    mutating func takeBeginning() -> Data? { beginning.take() }

    private mutating func nextChunk(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        do {
            return try await reader.next(isolation: actor)
        } catch {
            // The rest may be half a line, and the kept bytes are from a truncated body.
            splitter = LineSplitter()
            beginning = nil
            throw error
        }
    }
}
