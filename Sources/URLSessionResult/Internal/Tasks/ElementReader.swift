import Foundation

/// Reads a document of JSON value by value, as bytes.
struct ElementReader {
    private let source: BodySource

    /// Nil after the end of the document, and after an error in it: then the rest of the body is not needed.
    private var reader: BodyReader?

    private var splitter: JSONElementSplitter

    /// Whether the stream has ended with an error. Then the document does not end, and what is left of it is not wanted.
    private var isInterrupted = false

    init(of source: BodySource, at path: JSONKeyPath) {
        self.source = source
        reader = source.takeReader()
        splitter = JSONElementSplitter(at: path)
    }

    /// Waits for the next value, or returns `nil` at the end of the document. Returns without leaving the caller's actor if the
    /// value has arrived.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> JSONElement? {
        while let reader {
            if !isInterrupted, !Task.isCancelled, let element = try split({ try $0.next() }) { return element }
            let wasInterrupted = isInterrupted
            isInterrupted = true
            if let piece = try await reader.next(isolation: actor) {
                isInterrupted = false
                splitter.append(piece)
            } else {
                self.reader = nil
                if !wasInterrupted { try split { try $0.finish() } }
            }
        }
        return nil
    }

    private mutating func split<T>(_ body: (inout JSONElementSplitter) throws -> T) throws(NetworkError) -> T {
        do {
            return try body(&splitter)
        } catch {
            reader = nil
            throw ReceivedBody(data: Data(splitter.bytes), response: source.response).decodingError(error)
        }
    }
}
