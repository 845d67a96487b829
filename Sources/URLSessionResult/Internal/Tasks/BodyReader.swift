import Foundation

/// The one reader of a stream; the stream is cancelled when it goes.
final class BodyReader: Sendable {
    /// Nil for a reader who came too late.
    private let stream: BodyStream?

    init(of stream: BodyStream?) { self.stream = stream }

    deinit { stream?.cancel() }

    /// Waits for bytes; `nil` is the end of the body.
    func next() async throws(NetworkError) -> Data? {
        guard let stream else { throw .noData }
        return try await stream.next().get()
    }
}

/// Holds the reader of a stream until somebody begins to read.
final class BodySource: Sendable {
    private let reader: Locked<BodyReader?>

    init(_ stream: BodyStream) { reader = Locked(BodyReader(of: stream)) }

    /// Hands out the reader, and whoever comes later a reader of nothing.
    func takeReader() -> BodyReader {
        reader.withLock { reader in reader.take() } ?? BodyReader(of: nil)
    }
}
