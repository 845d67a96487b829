import Foundation
internal import URLSessionResultTransport

extension NetworkError: LocalizedError {
    /// A plain sentence in English for your users: what failed and, for the common cases, what to do about it.
    ///
    /// It has no code except that of a status, and no advice for developers: ``description`` has the details. You may log it: of a request
    /// it shows the host, and of a file the name.
    public var errorDescription: String? { localizedSentence }

    var localizedSentence: String {
        switch self {
        case .transportError where isCancelled:
            "The request was cancelled."
        case .transportError(let error):
            urlError?.sentence ?? error.sentence
        case .serverError(let statusCode, _):
            "The server answered with status \(statusCode)\(statusPhrase(statusCode).map { " (\($0))" } ?? "")."
        case .noData:
            "The server gave no answer."
        case .decodingError:
            "The server's answer could not be read."
        case .encodingError:
            "The request could not be written."
        }
    }
}

extension URLError {
    fileprivate var sentence: String {
        switch code {
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            "There is no connection to the internet. Check the network settings and try again."
        case .cannotFindHost, .dnsLookupFailed:
            "\(server) could not be found. Check the address and the network."
        case .cannotConnectToHost:
            "\(server) could not be reached. Try again later."
        case .networkConnectionLost:
            "The connection to the server was lost. Try again."
        case .timedOut:
            "The server did not answer in time. Try again later."
        case .userAuthenticationRequired:
            "The server asks you to sign in."
        case .dataLengthExceedsMaximum:
            // Apple's URLSession rejects a GET with a body with this code.
            "The request or the server's answer is too large."
        case .badURL, .unsupportedURL:
            "The address cannot be requested. Check that it is spelled correctly."
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .zeroByteResource:
            "The server's answer could not be read."
        case .httpTooManyRedirects, .redirectToNonExistentLocation:
            "The server gave an unexpected answer."
        case .serverCertificateHasBadDate:
            "The certificate of \(theServer) is not valid now. Check the date and the time of this device."
        case .serverCertificateNotYetValid:
            "The certificate of \(theServer) is not valid yet. Check the date and the time of this device."
        case .serverCertificateUntrusted:
            "The certificate of \(theServer) is not trusted. Try again in another network."
        case .serverCertificateHasUnknownRoot:
            "The certificate of \(theServer) is from an unknown authority. Try again in another network."
        case .clientCertificateRejected:
            "\(server) does not accept the certificate of this device."
        case .clientCertificateRequired:
            "\(server) asks for a certificate of this device."
        case .secureConnectionFailed:
            "There is no secure connection to \(theServer). Try again later."
        default:
            unknownFailure
        }
    }

    /// The host and port of the request. Unlike the rest of a URL, they hold nothing confidential.
    private var server: String { "The \(nameOfServer)" }

    /// The same within a sentence.
    private var theServer: String { "the \(nameOfServer)" }

    private var nameOfServer: String {
        let host = failingURL?.host.map { " \($0.withEscapedControls)" } ?? ""
        let port = failingURL?.port.map { ":\($0)" } ?? ""
        return "server\(host)\(port)"
    }
}

extension Error {
    /// What failed with a file. The message of an error may quote anything, so it is not used.
    fileprivate var sentence: String {
        // A mistake of the program, which no user is to see.
        if self is BodyAlreadyReadError {
            return "The body of the response is being read, or has been read, elsewhere. It can be read once."
        }
        guard let error = self as? CocoaError, let file = error.file else { return unknownFailure }
        return "The file \(file.lastPathComponent.withEscapedControls) \(error.problemOfFile)."
    }
}

private let unknownFailure = "The request failed."

extension CocoaError {
    /// The file that the error is about.
    var file: URL? {
        let file = url ?? filePath.map { URL(fileURLWithPath: $0) }
        guard let file, file.isFileURL else { return nil }
        return file
    }

    /// What cannot be done with the file, and why if the code says so.
    fileprivate var problemOfFile: String {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "does not exist"
        case .fileLocking: "is in use"
        case .fileReadNoPermission: "could not be read, because permission is missing"
        case .fileWriteNoPermission, .fileWriteVolumeReadOnly: "could not be saved, because permission is missing"
        case .fileWriteOutOfSpace: "could not be saved, because there is no space left"
        case .fileWriteFileExists: "exists already"
        case _ where isFileReadError: "could not be read"
        case _ where isFileWriteError: "could not be saved"
        default: "could not be used"
        }
    }

    // Foundation's ranges: https://developer.apple.com/documentation/foundation/nsfilereadunknownerror and its neighbours.
    private var isFileReadError: Bool { (256..<512).contains(errorCode) }
    private var isFileWriteError: Bool { (512..<1024).contains(errorCode) }
}
