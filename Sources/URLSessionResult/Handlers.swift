import Foundation

/// The result of a request for bytes.
public typealias DataResult = Result<Data, NetworkError>

/// A function that takes the result of a task. It is called once, on the session's delegate queue.
///
/// The result is `sending`: you may hand a value that is not `Sendable` on to an actor.
public typealias ResultHandler<Success> = @Sendable (sending Result<Success, NetworkError>) -> Void

/// A function that takes the error of a task, or `nil` for success. It is called once, on the session's delegate queue.
public typealias ErrorHandler = @Sendable (NetworkError?) -> Void

/// A function that takes reports while a transfer runs. It is called with one report at a time, on the session's delegate queue
/// unless the method says otherwise.
public typealias ProgressHandler = @Sendable (TransferProgress) -> Void
