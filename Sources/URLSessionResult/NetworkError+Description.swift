import Foundation
internal import URLSessionResultTransport

extension NetworkError: LocalizedError {
    /// A sentence for users: what failed and, for the common cases, what to do about it.
    ///
    /// You may log it. It shows no query, no user info, no header value except an unexpected `Content-Type`, and nothing of a
    /// body except the names of its members.
    public var errorDescription: String? { sentence }

    private var sentence: String {
        switch self {
        case .transportError(let error):
            urlError?.advice ?? (urlError ?? error).sentence
        case .serverError(let statusCode, _):
            "The server answered with status \(statusCode)\(statusPhrase(statusCode).map { " (\($0))" } ?? "")."
        case .noData:
            "URLSession gave neither data nor an error."
        case .decodingError(let error, let response):
            "The server's answer could not be read: \(error.finding(in: response?.body))."
        case .encodingError(let error):
            "The request could not be written: \(error.finding)."
        }
    }
}

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The case and its subject. You may log it: it shows no more than ``errorDescription``.
    public var description: String {
        switch self {
        case .transportError(let error): "transportError(\((urlError ?? error).domainAndCode))"
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
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        if let error = underlyingError as NSError? {
            userInfo[NSUnderlyingErrorKey] = NSError(domain: error.domain, code: error.code)
        }
        return userInfo
    }
}

extension URLError {
    /// For the common cases, what failed and what to do about it.
    fileprivate var advice: String? {
        switch code {
        case .cancelled:
            "The request was cancelled."
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            "There is no connection to the internet. Check the network settings and try again."
        case .cannotFindHost, .dnsLookupFailed:
            "\(server) could not be found. Check the address and the network."
        case .cannotConnectToHost:
            "\(server) could not be reached. Check the address, and that the server is running."
        case .networkConnectionLost:
            "The connection to the server was lost. Try again."
        case .timedOut:
            "The server did not answer in time. Try again later."
        case .dataLengthExceedsMaximum:
            // Apple's URLSession rejects a GET with a body with this code.
            "The request or the answer is too large. A GET may have no body."
        case .badURL, .unsupportedURL:
            "The address cannot be requested. Check that it is spelled correctly."
        case _ where isAboutTLS:
            "\(server) could not be reached securely. Check the date of this device and the certificate of the server."
        default:
            nil
        }
    }

    /// The host and port of the request. Unlike the rest of a URL, they hold nothing confidential.
    private var server: String {
        let host = failingURL?.host.map { " \($0.withEscapedControls)" } ?? ""
        let port = failingURL?.port.map { ":\($0)" } ?? ""
        return "The server\(host)\(port)"
    }

    private var isAboutTLS: Bool {
        // From clientCertificateRequired to secureConnectionFailed.
        (-1206 ... -1200).contains(errorCode)
    }
}

extension Error {
    /// What failed in the exchange and with which file.
    ///
    /// It uses the words of the system only, because the message of an error may quote anything.
    fileprivate var sentence: String {
        if self is BodyAlreadyReadError {
            return "The body of the response is being read, or has been read, elsewhere. It can be read once."
        }
        guard let error = self as? CocoaError, let file = error.file else {
            return "The request failed (\(domainAndCode))."
        }
        let systemError = error.underlying as? POSIXError
        let reason = systemError.map { SystemCalls.message(for: $0.code) } ?? domainAndCode
        return "The file \(file.lastPathComponent.withEscapedControls) could not be used: \(reason)."
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

    fileprivate var withEscapedControls: String {
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

extension CocoaError {
    /// The file that the error is about.
    fileprivate var file: URL? {
        let file = url ?? filePath.map { URL(fileURLWithPath: $0) }
        guard let file, file.isFileURL else { return nil }
        return file
    }
}
