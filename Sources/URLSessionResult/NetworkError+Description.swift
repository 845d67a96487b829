import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError: LocalizedError, CustomNSError, CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence for a person: what failed and, for the common cases, what to do about it.
    ///
    /// It never shows a query, user info, a header value or, but for the names of members, a body, so that it may be
    /// logged.
    public var errorDescription: String? {
        switch self {
        case .transportError(let error): urlError?.sentence ?? error.sentence
        case .serverError(let statusCode, _): "The server answered with status \(statusCode)\(phrase(for: statusCode))."
        case .noData: "The server gave neither data nor an error."
        case .decodingError(let error): "The answer of the server could not be read: \(error.finding)."
        case .encodingError(let error): "The request could not be written: \(error.finding)."
        }
    }

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
        let values: [String: Any?] = [NSLocalizedDescriptionKey: errorDescription, NSUnderlyingErrorKey: summary.cause]
        return values.compactMapValues { $0 }
    }

    private var summary: (code: Int, text: String, cause: (any Error)?) {
        switch self {
        case .transportError(let error): (1, "transportError(\(error.name))", error)
        case .serverError(let statusCode, _): (2, "serverError(statusCode: \(statusCode))", nil)
        case .noData: (3, "noData", nil)
        case .decodingError(let error): (4, "decodingError(\(error.finding))", error)
        case .encodingError(let error): (5, "encodingError(\(error.finding))", error)
        }
    }
}

/// What a status code is called, as in " (not found)".
private func phrase(for statusCode: Int) -> String {
    guard (100..<600).contains(statusCode) else { return "" }
    return " (\(HTTPURLResponse.localizedString(forStatusCode: statusCode).lowercased()))"
}
