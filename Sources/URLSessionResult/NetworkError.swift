import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why a request gave nothing to work with.
///
/// Every failure of the library is one of these five cases, and each keeps what is known: the response of a server that
/// refused, or the error that lies underneath.
public enum NetworkError: Error, Sendable {
    /// The exchange itself failed: no connection, a timeout, a cancellation, TLS, a truncated body.
    ///
    /// The error is a `URLError`, or the file system's error when a body could not be read from or written to a file.
    case transportError(any Error)

    /// The server answered with a status code outside the accepted ones.
    ///
    /// The response holds its headers and its body, for a download the first mebibyte of it; a body that is absent is
    /// empty `Data`.
    case serverError(statusCode: Int, response: NetworkResponse<Data>)

    /// There was neither data nor an error.
    case noData

    /// The body is not what the decoder wants.
    ///
    /// The error is what the decoder threw, a `DecodingError` for JSON and property lists.
    case decodingError(any Error)

    /// The request body could not be made.
    case encodingError(any Error)

    /// Decides whether what a completion handler was given is a failure, and which one.
    ///
    /// | given | decision |
    /// | --- | --- |
    /// | an `error`, whatever else | ``transportError(_:)`` |
    /// | an HTTP status code that is not accepted | ``serverError(statusCode:response:)`` |
    /// | no `data` | ``noData`` |
    /// | anything else: also an empty body, or a response that is not HTTP | `nil` |
    ///
    /// This is the only place in the library that makes this decision.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - response: The response, usually an `HTTPURLResponse`.
    ///   - error: The error of the exchange.
    ///   - codes: The HTTP status codes that count as success.
    public init?(
        data: Data?, response: URLResponse?, error: (any Error)?, accepting codes: some Collection<Int> = 200..<300
    ) {
        switch (data, response as? HTTPURLResponse, error) {
        case (_, _, let error?): self = .transportError(error)
        case (_, let http?, _) where !codes.contains(http.statusCode):
            self = .serverError(statusCode: http.statusCode, response: .init(body: data ?? Data(), urlResponse: http))
        case (nil, _, nil): self = .noData
        default: return nil
        }
    }

    /// The HTTP status code of a ``serverError(statusCode:response:)``, otherwise `nil`.
    public var statusCode: Int? { if case .serverError(let statusCode, _) = self { statusCode } else { nil } }

    /// The whole response of a ``serverError(statusCode:response:)``, otherwise `nil`.
    public var response: NetworkResponse<Data>? { if case .serverError(_, let answer) = self { answer } else { nil } }

    /// The `URLError` of a ``transportError(_:)``, otherwise `nil`.
    public var urlError: URLError? {
        guard case .transportError(let error) = self, (error as NSError).domain == NSURLErrorDomain else { return nil }
        // A cast would not do: on Linux an NSError of this domain is no URLError.
        let code: URLError.Code? = URLError.Code(rawValue: (error as NSError).code)
        return code.map { URLError($0, userInfo: (error as NSError).userInfo) }
    }

    /// Whether the request was cancelled, which is seldom worth telling a person.
    public var isCancelled: Bool {
        if case .transportError(_ as CancellationError) = self { true } else { urlError?.code == .cancelled }
    }
}

extension Result where Failure == NetworkError {
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
    ///   - codes: The HTTP status codes that count as success.
    /// - SeeAlso: ``NetworkError/init(data:response:error:accepting:)`` for what counts as a failure.
    public init(
        data: Data?, response: URLResponse?, error: (any Error)?, accepting codes: some Collection<Int> = 200..<300
    ) where Success == Data {
        let failure = NetworkError(data: data, response: response, error: error, accepting: codes)
        // The funnel lets nothing pass without data, so the empty one never comes into play.
        self = failure.map(Self.failure) ?? .success(data ?? Data())
    }

    /// The error of a failure, otherwise `nil`: what an ``ErrorHandler`` is given.
    var failure: NetworkError? { if case .failure(let error) = self { error } else { nil } }
}

extension NetworkError: LocalizedError, CustomNSError, CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence for a person: what failed and, for the common cases, what to do about it.
    ///
    /// It never shows a query, user info, a header value or, but for the names of members, a body, so that it may be
    /// logged.
    public var errorDescription: String? { summary.sentence }

    /// The case and what it is about, without a query, user info, a header value or, but for the names of members, a
    /// body.
    public var description: String { summary.text }

    /// The same as ``description``: it is what a printed `Result` shows.
    public var debugDescription: String { description }

    /// The domain of the errors bridged to `NSError`; it stays the same for good.
    public static var errorDomain: String { "URLSessionResult.NetworkError" }

    /// A number for each case, which stays the same for good.
    ///
    /// `transportError` is 1, `serverError` 2, `noData` 3, `decodingError` 4 and `encodingError` 5.
    public var errorCode: Int { summary.code }

    /// The error underneath, if there is one, as `NSUnderlyingErrorKey`, and the sentence for a person.
    public var errorUserInfo: [String: Any] {
        // On Linux `localizedDescription` of a CustomNSError looks here for the sentence, not at `errorDescription`.
        let values: [String: Any?] = [NSLocalizedDescriptionKey: summary.sentence, NSUnderlyingErrorKey: summary.cause]
        return values.compactMapValues { $0 }
    }

    private var summary: (code: Int, text: String, sentence: String, cause: (any Error)?) {
        switch self {
        case .transportError(let error):
            (1, "transportError(\((urlError ?? error).name))", urlError?.sentence ?? error.sentence, error)
        case .serverError(let code, _):
            (2, "serverError(statusCode: \(code))", "The server answered with status \(code) (\(phrase(code))).", nil)
        case .noData: (3, "noData", "The server gave neither data nor an error.", nil)
        case .decodingError(let error):
            (4, "decodingError(\(error.finding))", "The server's answer could not be read: \(error.finding).", error)
        case .encodingError(let error):
            (5, "encodingError(\(error.finding))", "The request could not be written: \(error.finding).", error)
        }
    }
}

/// What a status code is called, such as "not found".
private func phrase(_ code: Int) -> String { HTTPURLResponse.localizedString(forStatusCode: code).lowercased() }
