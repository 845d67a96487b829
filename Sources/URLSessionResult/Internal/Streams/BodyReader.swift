import Foundation
internal import URLSessionResultTransport

/// The only reader of a stream. Releasing it cancels the stream.
///
/// The copies of an iterator share one reader.
final class BodyReader: Sendable, CustomReflectable {
    private enum Access: Sendable {
        case granted(BodyStream)

        /// Another reader has the stream. The first call of `next` throws, and later calls return nil.
        case refused(isTold: Locked<Bool>)
    }

    private let access: Access

    init(of stream: BodyStream) { access = .granted(stream) }

    /// Makes a reader of a stream that another reader has.
    init() { access = .refused(isTold: Locked(false)) }

    deinit {
        if case .granted(let stream) = access { stream.cancel() }
    }

    /// A mirror without children. `dump(_:)` would go on to the running task, and crash.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Waits for bytes; `nil` is the end of the body. Returns without leaving the caller's actor if there are any.
    func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        switch access {
        case .granted(let stream):
            return try await stream.next(isolation: actor).get()
        case .refused(let isTold):
            guard isTold.setOnce() else { return nil }
            throw .transportError(BodyAlreadyReadError())
        }
    }
}

/// Holds the reader of a stream until reading begins.
final class BodySource: Sendable, CustomReflectable {
    /// The response whose body the stream is.
    let response: URLResponse
    private let stream: BodyStream
    private let reader: Locked<BodyReader?>

    init(_ stream: BodyStream, of response: URLResponse) {
        self.response = response
        self.stream = stream
        reader = Locked(BodyReader(of: stream))
    }

    /// A mirror without children, as that of the reader.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Returns the reader of the stream to the first caller. Later callers get a reader that throws `BodyAlreadyReadError`.
    func takeReader() -> BodyReader {
        reader.withLock { reader in reader.take() } ?? BodyReader()
    }

    func whenOver(_ observer: @escaping @Sendable () -> Void) { stream.whenOver(observer) }
}

/// The error of a second reader.
package struct BodyAlreadyReadError: Error {
    package init() {}
}
