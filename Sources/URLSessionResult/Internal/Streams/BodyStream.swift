import Foundation
internal import URLSessionResultTransport

/// A body on its way from a task, which fills it, to one reader, who empties it.
final class BodyStream: Sendable {
    typealias Piece = Result<Data?, NetworkError>
    private typealias Reader = CheckedContinuation<Piece, Never>

    private let task: URLSessionTask
    private let state: Locked<BodyStreamState<Reader>>

    /// What is called when the task is over. Nil after that.
    private let observers = Locked<[@Sendable () -> Void]?>([])

    /// - Parameter task: The task that fills the stream.
    init(of task: URLSessionTask) {
        self.task = task
        state = Locked(BodyStreamState(buffer: BodyBuffer(pausingBy: task.receivingPause)))
    }

    // MARK: For the task

    /// Takes the next bytes of the body.
    ///
    /// The caller may hold a lock that keeps the pieces in order: the next piece may come on another thread.
    ///
    /// - Returns: A function that resumes the waiting reader. Call it without a lock.
    func receive(_ data: Data) -> (@Sendable () -> Void)? {
        guard !data.isEmpty, let reader = state.withLock({ $0.receive(data) }) else { return nil }
        return { reader.resumeSoon(returning: .success(data)) }
    }

    /// Notes that no more bytes come. The reader learns it after those that have arrived.
    func finish(with error: NetworkError?) {
        let ending = error.map(Piece.failure) ?? .success(nil)
        let reader = state.withLock { $0.finish(as: ending) }
        reader?.resumeSoon(returning: ending)
        guard let observers = observers.withLock({ $0.take() }), !observers.isEmpty else { return }
        offEventLoop { for observer in observers { observer() } }
    }

    /// Calls a function when the task is over and no more bytes come, whether or not those that came were read.
    func whenOver(_ observer: @escaping @Sendable () -> Void) {
        let isOver = observers.withLock { observers in
            observers?.append(observer)
            return observers == nil
        }
        if isOver { observer() }
    }

    // MARK: For the reader

    /// Waits for bytes.
    ///
    /// An error is returned once. After an error and after the end, the result is `nil`, even in a cancelled Swift task. Cancelling
    /// the Swift task cancels the stream. While one call waits, other calls get `BodyAlreadyReadError`, and the first one goes on
    /// waiting.
    func next(isolation actor: isolated (any Actor)?) async -> Piece {
        if Task.isCancelled, !state.withLock({ $0.isAwaited }) { cancel() }
        if let piece = take(for: nil) { return piece }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                if let piece = take(for: reader) { reader.resume(returning: piece) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Drops what has not been read, and cancels the task unless it is over.
    func cancel() {
        stop(giving: .failure(.transportError(code: .cancelled)))
    }

    private func take(for reader: Reader?) -> Piece? {
        state.withLock { $0.next(for: reader) }
    }

    private func stop(giving ending: Piece) {
        // The task is cancelled before the buffer is dropped: dropping the buffer would let a paused task receive more.
        if state.withLock({ $0.isArriving }) { task.cancel() }
        let (reader, _) = state.withLock { $0.stop(as: ending) }
        reader?.resume(returning: ending)
    }
}

extension CheckedContinuation where T: Sendable, E == Never {
    fileprivate func resumeSoon(returning value: T) {
        offEventLoop { resume(returning: value) }
    }
}
