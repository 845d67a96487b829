import Foundation

/// Reads a body line by line, as bytes.
struct LineReader {
    private let reader: BodyReader
    private var splitter = LineSplitter()

    init(of source: BodySource) { reader = source.takeReader() }

    /// Waits for the next line. Returns without leaving the caller's actor if the line has arrived.
    ///
    /// - Returns: The line without its end, or `nil` at the end of the body.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ArraySlice<UInt8>? {
        while true {
            // A cancelled reader gets none of the lines that have arrived, however many there are.
            if !Task.isCancelled, let line = splitter.next() { return line }
            guard let chunk = try await nextChunk(isolation: actor) else { return splitter.finish() }
            splitter.append(chunk)
        }
    }

    private mutating func nextChunk(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        do {
            return try await reader.next(isolation: actor)
        } catch {
            // What remains may be half a line.
            splitter = LineSplitter()
            throw error
        }
    }
}
