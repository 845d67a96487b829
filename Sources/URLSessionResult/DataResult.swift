import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

extension Result where Success == Data, Failure == NetworkError {
    /// Makes one value of the three that a completion handler is given, for code that keeps its `completionHandler:`.
    ///
    /// ```swift
    /// session.dataTask(with: request) { data, response, error in
    ///     let result = DataResult(data: data, response: response, error: error)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - response: The response, usually an `HTTPURLResponse`.
    ///   - error: The error of the exchange.
    ///   - statusCodes: The HTTP status codes that count as success.
    /// - SeeAlso: ``NetworkError/init(data:response:error:accepting:)`` for what counts as a failure.
    public init(
        data: Data?, response: URLResponse?, error: (any Error)?,
        accepting statusCodes: some Collection<Int> = 200..<300
    ) {
        let failure = NetworkError(data: data, response: response, error: error, accepting: statusCodes)
        // The funnel lets nothing pass without data, so the empty one never comes into play.
        self = failure.map(Self.failure) ?? .success(data ?? Data())
    }
}

extension Result where Failure == NetworkError {
    /// The error of a failure, otherwise `nil`: what an ``ErrorHandler`` is given.
    var failure: NetworkError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
