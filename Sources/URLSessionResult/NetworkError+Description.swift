import Foundation
internal import URLSessionResultTransport

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The case and its subject, for developers: `decodingError(albums[3].year: expected Int, found a string)`.
    ///
    /// You may log it: it shows no query, no user info, no header value except an unexpected `Content-Type`, and nothing of a body
    /// except the names of its members and a "<" at its beginning. Of a file it shows the name.
    public var description: String {
        switch self {
        case .transportError(let error): "transportError(\((urlError ?? error).transportFinding))"
        case .serverError(let statusCode, _): "serverError(statusCode: \(statusCode))"
        case .noData: "noData"
        case .decodingError(let error, let response): "decodingError(\(error.finding(in: response?.body)))"
        case .encodingError(let error): "encodingError(\(error.finding))"
        }
    }

    /// The same as ``description``. A printed `Result` shows it.
    public var debugDescription: String { description }
}

extension NetworkError: CustomReflectable {
    /// A mirror without children: `dump(_:)` shows no more than ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension NetworkError: CustomNSError {
    /// The domain of the errors that are bridged to `NSError`. It never changes.
    public static var errorDomain: String { "URLSessionResult.NetworkError" }

    /// A number for each case, which never changes: `transportError` 1, `serverError` 2, `noData` 3, `decodingError` 4 and
    /// `encodingError` 5. A transport error with a ``urlError`` has its code, which is negative.
    ///
    /// So `(error as NSError).code == NSURLErrorCancelled` is true if ``isCancelled`` is.
    public var errorCode: Int {
        switch self {
        case .transportError: isCancelled ? NSURLErrorCancelled : urlError?.errorCode ?? 1
        case .serverError: 2
        case .noData: 3
        case .decodingError: 4
        case .encodingError: 5
        }
    }

    /// The sentence for users and, as `NSUnderlyingErrorKey`, the domain and the code of the underlying error.
    ///
    /// The rest of the underlying error is left out, because logs show the whole dictionary: a URL with its query, for
    /// example. ``underlyingError`` gives the real one.
    public var errorUserInfo: [String: Any] {
        // On Linux, `localizedDescription` of a CustomNSError looks for the sentence here and not at `errorDescription`.
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: localizedSentence]
        if let error = underlyingError as NSError? {
            userInfo[NSUnderlyingErrorKey] = NSError(domain: error.domain, code: error.code)
        }
        return userInfo
    }
}

extension Error {
    /// What failed in the exchange, and with which file.
    ///
    /// It uses the words of the system only, because the message of an error may quote anything.
    fileprivate var transportFinding: String {
        guard let error = self as? CocoaError, let file = error.file else { return domainAndCode }
        let reason = (error.underlying as? POSIXError).map { ": \(SystemCalls.message(for: $0.code))" } ?? ""
        return "\(domainAndCode), \(file.lastPathComponent.withEscapedControls)\(reason)"
    }

    /// The domain (for a Swift error, the type) and the code, without the message, which may quote what was sent or
    /// received.
    var domainAndCode: String {
        let error = self as NSError
        let name = type(of: self) is NSError.Type ? error.domain : "\(type(of: self))"
        return "\(name.safeToLog) \(error.code)"
    }
}

extension String {
    /// A name that a server has chosen, with control characters escaped, and cut after 80 characters.
    ///
    /// With a line break or an escape sequence in it, the server could write lines of its own into a log (CWE-117).
    var safeToLog: String {
        let longest = 80
        let scalars = unicodeScalars
        let beginning = scalars.count > longest ? String(scalars.prefix(longest)) + "…" : self
        return beginning.withEscapedControls
    }

    /// With control characters escaped.
    package var withEscapedControls: String {
        unicodeScalars.map { $0.breaksLog ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control character, a format character such as one that reverses the direction of
    /// writing, or one that ends a line.
    fileprivate var breaksLog: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
