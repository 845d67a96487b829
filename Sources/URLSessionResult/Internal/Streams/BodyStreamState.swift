import Foundation
internal import URLSessionResultTransport

/// The state machine of a body on its way from its task to its reader.
///
/// It calls nobody: each event returns the reader to resume, and `BodyStream` resumes it after it has released its lock.
struct BodyStreamState<Reader: Sendable>: Sendable {
    /// What a reader is given: bytes, `nil` at the end, or why the body ended early.
    typealias Piece = Result<Data?, NetworkError>

    fileprivate enum Phase {
        /// The body arrives. What has not been read is in the buffer.
        case arriving
        /// The body arrives, and the reader waits for it. The buffer is empty.
        case awaited(Reader)
        /// No more bytes come. The reader learns it after those that have arrived.
        case ended(Piece)
        /// The reader knows how the body ended.
        case over
    }

    private var phase = Phase.arriving

    /// What has arrived and has not been read.
    private var buffer: BodyBuffer

    init(buffer: BodyBuffer) { self.buffer = buffer }

    var isArriving: Bool {
        switch phase {
        case .arriving, .awaited: true
        case .ended, .over: false
        }
    }

    var isAwaited: Bool {
        if case .awaited = phase { true } else { false }
    }

    /// The next bytes have arrived.
    ///
    /// - Returns: The reader to give them to. Without one they are kept.
    mutating func receive(_ data: Data) -> Reader? {
        switch phase {
        case .arriving:
            buffer.append(data)
            return nil
        case .awaited(let reader):
            phase = .arriving
            return reader
        case .ended, .over:
            return nil
        }
    }

    /// No more bytes come.
    ///
    /// - Returns: The reader to give the ending to. Without one it is kept.
    mutating func finish(as ending: Piece) -> Reader? {
        switch phase {
        case .arriving:
            phase = .ended(ending)
            return nil
        case .awaited(let reader):
            phase = .over
            return reader
        case .ended, .over:
            return nil
        }
    }

    /// What `stop(as:)` has dropped. The caller releases it without the lock.
    struct Rest {
        fileprivate let buffer: BodyBuffer
        fileprivate let phase: Phase
    }

    /// What has not been read is dropped, and no more bytes come.
    ///
    /// - Returns: The waiting reader, to give the ending to, and what is dropped. If no reader waits, the ending is kept for the
    ///   next one. It then replaces an earlier ending that no reader has got.
    mutating func stop(as ending: Piece) -> (reader: Reader?, rest: Rest) {
        let rest = Rest(buffer: buffer.removeAll(), phase: phase)
        if case .ended = phase { phase = .ended(ending) }
        return (finish(as: ending), rest)
    }

    /// A reader asks for the next piece.
    ///
    /// - Parameter reader: The reader to note if there is nothing yet. Nil to note none.
    /// - Returns: The piece. Nil if there is nothing yet: the reader waits.
    mutating func next(for reader: Reader?) -> Piece? {
        if let bytes = buffer.take() { return .success(bytes) }
        switch phase {
        case .arriving:
            if let reader { phase = .awaited(reader) }
            return nil
        case .awaited:
            return .failure(.transportError(BodyAlreadyReadError()))
        case .ended(let ending):
            phase = .over
            return ending
        case .over:
            return .success(nil)
        }
    }
}
