import Foundation
import URLSessionResultTransport

/// A body on its way from a task, which fills it, to one reader, who empties it.
///
/// Unchecked, because every access to the two variables holds the lock.
final class BodyStream: @unchecked Sendable {
    /// What the reader is given: bytes, `nil` at the end, or why the body ended early.
    typealias Piece = Result<Data?, NetworkError>
    private typealias Reader = CheckedContinuation<Piece, Never>

    private enum Phase {
        /// The body arrives. What has not been read is in the backlog.
        case arriving
        /// The body arrives, and the reader waits for it. The backlog is empty.
        case awaited(Reader)
        /// No more bytes come. The reader learns it after those that have arrived.
        case ended(Piece)
        /// The reader knows how the body ended.
        case over
    }

    private let task: URLSessionTask?
    private let lock = NSLock()

    /// What has arrived and has not been read.
    private var backlog: Backlog

    private var phase = Phase.arriving

    /// - Parameter task: The task that fills the stream, or nil for a body that never begins.
    init(of task: URLSessionTask?) {
        self.task = task
        backlog = Backlog(of: task)
    }

    // MARK: For the task

    /// Takes the next bytes of the body.
    ///
    /// The caller may hold a lock that keeps pieces in order: the next piece may come on another thread.
    ///
    /// - Returns: A function that tells the reader or the task, to be called without a lock.
    func receive(_ data: Data) -> (@Sendable () -> Void)? {
        guard !data.isEmpty else { return nil }
        do {
            guard let reader = try lock.withLock({ try readerOrKeep(data) }) else { return nil }
            return { reader.resumeSoon(returning: .success(data)) }
        } catch {
            // The bytes can be kept nowhere.
            return {
                self.finish(with: .transportError(error))
                self.task?.cancel()
            }
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
    /// An error is given once; after it and after the end there is `nil`, even in a cancelled Swift task. Cancelling the Swift
    /// task cancels the stream. While a reader waits, there is an error for everybody else, and the reader waits on.
    func next(isolation actor: isolated (any Actor)?) async -> Piece {
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
        stop(giving: .failure(.transportError(code: .cancelled)))
    }

    private var isAwaited: Bool {
        lock.withLock { if case .awaited = phase { true } else { false } }
    }

    private func take(orWaitAs reader: Reader? = nil) -> Piece? {
        do {
            return try lock.withLock { pieceOrWait(as: reader) }?()
        } catch {
            stop(giving: .success(nil))
            return .failure(.transportError(error))
        }
    }

    private func stop(giving ending: Piece) {
        let isArriving = lock.withLock {
            switch phase {
            case .arriving, .awaited: true
            case .ended, .over: false
            }
        }
        if isArriving { task?.cancel() }
        let reader = lock.withLock { readerToStop(as: ending) }
        reader?.resume(returning: ending)
    }

    // MARK: With the lock

    /// - Returns: The reader to give the bytes to; without one they are kept.
    private func readerOrKeep(_ data: Data) throws -> Reader? {
        switch phase {
        case .arriving:
            try backlog.append(data)
            return nil
        case .awaited(let reader):
            phase = .arriving
            return reader
        case .ended, .over:
            return nil
        }
    }

    /// - Returns: The reader to give the ending to; without one it is kept.
    private func readerToFinish(as ending: Piece) -> Reader? {
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

    /// - Returns: The reader to give the ending to. Without one it is kept, in place of another that was not given yet.
    private func readerToStop(as ending: Piece) -> Reader? {
        backlog.removeAll()
        if case .ended = phase { phase = .ended(ending) }
        return readerToFinish(as: ending)
    }

    /// - Returns: A function that gives what there is, for a call without the lock. If there is nothing, the reader is
    ///   noted.
    private func pieceOrWait(as reader: Reader?) -> (() throws -> Piece)? {
        if let bytes = backlog.take() { return { .success(try bytes()) } }
        switch phase {
        case .arriving:
            if let reader { phase = .awaited(reader) }
            return nil
        case .awaited:
            return { .failure(.transportError(BodyAlreadyReadError())) }
        case .ended(let ending):
            phase = .over
            return { ending }
        case .over:
            return { .success(nil) }
        }
    }
}

extension CheckedContinuation where T: Sendable, E == Never {
    fileprivate func resumeSoon(returning value: T) {
        whereItMayBlock { resume(returning: value) }
    }
}
