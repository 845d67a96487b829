import Foundation
import URLSessionResultTransport

/// A body on its way from a task, which fills it, to one reader, who empties it.
///
/// Unchecked, because every access to the three variables holds the lock.
final class BodyStream: @unchecked Sendable {
    /// What the reader is given: bytes, `nil` at the end, or why the body ended early.
    typealias Piece = Result<Data?, NetworkError>
    private typealias Reader = CheckedContinuation<Piece, Never>

    private let task: URLSessionTask?
    private let lock = NSLock()

    /// What has arrived and has not been read.
    private var backlog: Backlog

    /// How the body ended, or what of it the reader has still to learn. Nil while the body arrives.
    private var ending: Piece?

    /// The reader while it waits. The backlog is empty then.
    private var reader: Reader?

    /// - Parameter task: The task that fills the stream, or nil for a body that never begins.
    init(of task: URLSessionTask?) {
        self.task = task
        backlog = Backlog(of: task)
    }

    // MARK: For the task

    /// Takes the next bytes of the body.
    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        do {
            let reader = try lock.withLock { try readerOrKeep(data) }
            reader?.resumeSoon(returning: .success(data))
        } catch {
            // The bytes can be kept nowhere.
            finish(with: .transportError(error))
            task?.cancel()
        }
    }

    /// Notes that no more bytes come. The reader learns it after those that have arrived.
    func finish(with error: NetworkError?) {
        let ending = error.map(Piece.failure) ?? .success(nil)
        let reader = lock.withLock { readerToFinish(as: ending) }
        reader?.resumeSoon(returning: ending)
    }

    // MARK: For the reader

    /// Waits for bytes.
    ///
    /// An error is given once; after it and after the end there is `nil`. Cancelling the Swift task cancels the stream.
    /// While a reader waits, there is an error for everybody else, and the reader waits on.
    func next(isolation actor: isolated (any Actor)?) async -> Piece {
        let isAwaited = lock.withLock { reader != nil }
        if Task.isCancelled, !isAwaited { cancel() }
        if let piece = take() { return piece }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                if let piece = take(orWaitAs: reader) { reader.resume(returning: piece) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Drops what has not been read, and cancels the task unless it is over.
    func cancel() {
        let isArriving = lock.withLock { ending == nil }
        if isArriving { task?.cancel() }
        let cancelled = Piece.failure(.transportError(code: .cancelled))
        let reader = lock.withLock {
            backlog.removeAll()
            ending = nil
            return readerToFinish(as: cancelled)
        }
        reader?.resume(returning: cancelled)
    }

    private func take(orWaitAs reader: Reader? = nil) -> Piece? {
        do {
            return try lock.withLock { pieceOrWait(as: reader) }?()
        } catch {
            cancel()
            return .failure(.transportError(error))
        }
    }

    // MARK: With the lock

    /// - Returns: The reader to give the bytes to; without one they are kept.
    private func readerOrKeep(_ data: Data) throws -> Reader? {
        guard ending == nil else { return nil }
        guard let reader else {
            try backlog.append(data)
            return nil
        }
        self.reader = nil
        return reader
    }

    /// - Returns: The reader to give the ending to; without one it is kept.
    private func readerToFinish(as ending: Piece) -> Reader? {
        guard self.ending == nil else { return nil }
        self.ending = reader == nil ? ending : .success(nil)
        defer { reader = nil }
        return reader
    }

    /// - Returns: A function that gives what there is, for a call without the lock. If there is nothing, the reader is
    ///   noted.
    private func pieceOrWait(as reader: Reader?) -> (() throws -> Piece)? {
        if self.reader != nil { return { .failure(.transportError(BodyAlreadyReadError())) } }
        if let bytes = backlog.take() { return { .success(try bytes()) } }
        guard let ending else {
            self.reader = reader
            return nil
        }
        self.ending = .success(nil)
        return { ending }
    }
}

extension CheckedContinuation where T: Sendable, E == Never {
    fileprivate func resumeSoon(returning value: T) {
        soon { resume(returning: value) }
    }
}
