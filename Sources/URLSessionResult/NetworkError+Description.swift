import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError: LocalizedError {
    /// A sentence for a person: what failed and, for the common cases, what to do about it.
    ///
    /// It never shows a query, user info, a header value or, but for the names of members, a body, so that it may be
    /// logged.
    public var errorDescription: String? {
        switch self {
        case .transportError where urlError != nil: urlError?.sentence
        // On Linux any NSError can be cast to CocoaError.
        case .transportError(let error as CocoaError) where (error as NSError).domain == NSCocoaErrorDomain:
            error.sentence
        case .transportError(let error): "The exchange with the server failed (\(name(of: error)))."
        case .serverError(let statusCode, _): "The server answered with status \(statusCode)\(phrase(for: statusCode))."
        case .noData: "The server gave neither data nor an error."
        case .decodingError(let error): "The answer of the server could not be read: \(finding(of: error))."
        case .encodingError(let error): "The request could not be written: \(finding(of: error))."
        }
    }
}

extension NetworkError: CustomNSError {
    /// The domain of the errors bridged to `NSError`; it stays the same for good.
    public static var errorDomain: String { "URLSessionResult.NetworkError" }

    /// A number for each case, which stays the same for good.
    ///
    /// `transportError` is 1, `serverError` 2, `noData` 3, `decodingError` 4 and `encodingError` 5.
    public var errorCode: Int {
        switch self {
        case .transportError: 1
        case .serverError: 2
        case .noData: 3
        case .decodingError: 4
        case .encodingError: 5
        }
    }

    /// The error underneath, if there is one, as `NSUnderlyingErrorKey`, and the sentence for a person.
    public var errorUserInfo: [String: Any] {
        // On Linux `localizedDescription` of a CustomNSError looks here for the sentence, not at `errorDescription`.
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedDescriptionKey] = errorDescription
        switch self {
        case .transportError(let error), .decodingError(let error), .encodingError(let error):
            userInfo[NSUnderlyingErrorKey] = error
        case .serverError, .noData: break
        }
        return userInfo
    }
}

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The case and what it is about, without a query, user info, a header value or, but for the names of members, a
    /// body.
    public var description: String {
        switch self {
        case .transportError(let error): "transportError(\(name(of: error)))"
        case .serverError(let statusCode, _): "serverError(statusCode: \(statusCode))"
        case .noData: "noData"
        case .decodingError(let error): "decodingError(\(finding(of: error)))"
        case .encodingError(let error): "encodingError(\(finding(of: error)))"
        }
    }

    /// The same as ``description``: it is what a printed `Result` shows.
    public var debugDescription: String { description }
}

/// Names an error without its message, which may quote what was sent or received.
private func name(of error: any Error) -> String {
    let bridged = error as NSError
    return switch bridged.domain {
    case NSURLErrorDomain: "URLError \(bridged.code)"
    case NSCocoaErrorDomain: "CocoaError \(bridged.code)"
    case let domain where type(of: error) is NSError.Type: "\(domain) \(bridged.code)"
    default: "\(type(of: error))"
    }
}

/// Says what a decoder or an encoder stumbled over.
private func finding(of error: any Error) -> String {
    switch error {
    case let error as DecodingError: error.finding
    case let error as EncodingError: error.finding
    case let error: name(of: error)
    }
}

/// What a status code is called, as in " (not found)".
private func phrase(for statusCode: Int) -> String {
    guard (100..<600).contains(statusCode) else { return "" }
    return " (\(HTTPURLResponse.localizedString(forStatusCode: statusCode).lowercased()))"
}
