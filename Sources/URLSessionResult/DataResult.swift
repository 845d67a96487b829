import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a request for bytes ends in.
public typealias DataResult = Result<Data, NetworkError>

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
        data: Data?,
        response: URLResponse?,
        error: (any Error)?,
        accepting statusCodes: some Collection<Int> = 200..<300
    ) {
        if let failure = NetworkError(data: data, response: response, error: error, accepting: statusCodes) {
            self = .failure(failure)
        } else {
            // The funnel lets nothing pass without data, so the default never comes into play.
            self = .success(data ?? Data())
        }
    }
}

extension Result where Failure == NetworkError {
    /// The error of a failure, otherwise `nil`: what an `errorHandler` is given.
    var failure: NetworkError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
