import Foundation

/// What a request for bytes ends in.
public typealias DataResult = Result<Data, NetworkError>

/// What is called with the result of a task, once, on the session's delegate queue.
public typealias ResultHandler<Success> = @Sendable (Result<Success, NetworkError>) -> Void

/// What is called with the error of a task, or `nil` for success, once, on the session's delegate queue.
public typealias ErrorHandler = @Sendable (NetworkError?) -> Void

/// What is called as a transfer goes on, on the session's delegate queue, or on Linux on a serial queue beside it when
/// that one runs several operations at once.
public typealias ProgressHandler = @Sendable (TransferProgress) -> Void

/// The HTTP status codes that count as success: `200..<300`, `200...399`, `[200, 304]`.
public typealias StatusCodes = Collection<Int> & Sendable
