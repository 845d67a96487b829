import Foundation
internal import URLSessionResultTransport

/// The one reader of a stream; the stream is cancelled when it goes.
///
/// The copies of an iterator share it.
final class BodyReader: Sendable, CustomReflectable {
    /// Nil for a reader who came too late.
    private let stream: BodyStream?

    /// Whether the reader has been told that it came too late.
    private let isRefused = Locked(false)

    init(of stream: BodyStream?) { self.stream = stream }

    deinit { stream?.cancel() }

    /// A mirror without children. `dump(_:)` would go on to the running task, and crash.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Waits for bytes; `nil` is the end of the body. Returns without leaving the caller's actor if there are any.
    func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        guard let stream else {
            guard isRefused.setOnce() else { return nil }
            throw .transportError(BodyAlreadyReadError())
        }
        return try await stream.next(isolation: actor).get()
    }
}

/// Holds the reader of a stream until reading begins.
final class BodySource: Sendable, CustomReflectable {
    /// The response whose body the stream is.
    let response: URLResponse
    private let reader: Locked<BodyReader?>

    init(_ stream: BodyStream, of response: URLResponse) {
        self.response = response
        reader = Locked(BodyReader(of: stream))
    }

    /// A mirror without children, as that of the reader.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Hands out the reader. Later callers get one of nothing.
    func takeReader() -> BodyReader {
        reader.withLock { reader in reader.take() } ?? BodyReader(of: nil)
    }
}

/// The error of a second reader.
struct BodyAlreadyReadError: Error {}
