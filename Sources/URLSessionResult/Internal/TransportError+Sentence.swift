import Foundation

extension Error {
    /// What failed in the exchange and with which file: in the system's words alone, for a message may quote anything.
    var sentence: String {
        let error = self as? CocoaError
        let file = error?.url ?? error?.filePath.map { URL(fileURLWithPath: $0) }
        guard let file, file.isFileURL else { return "The request failed (\(name))." }
        let reason = (error?.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) } ?? name
        return "The file \(file.lastPathComponent) could not be used: \(reason)."
    }
}

extension URLError {
    /// What failed and, for the common cases, what a person can do about it.
    var sentence: String {
        switch code {
        case .cancelled: "The request was cancelled."
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            "There is no connection to the internet. Check the network settings and try again."
        case .cannotFindHost, .dnsLookupFailed: "\(server) could not be found. Check the address and the network."
        case .cannotConnectToHost: "\(server) could not be reached. Check the address, and that the server is running."
        case .networkConnectionLost: "The connection to the server was lost. Try again."
        case .timedOut: "The server did not answer in time. Try again later."
        case .badURL, .unsupportedURL: "The address cannot be requested. Check that it is spelled correctly."
        // From `clientCertificateRequired` to `secureConnectionFailed`.
        case .unknown where mentionsTLS, _ where (-1206 ... -1200).contains(errorCode):
            "\(server) could not be reached securely. Check the date of this device and the certificate of the server."
        default: "The request failed (\(name))."
        }
    }

    /// The host and port that were asked, which unlike the rest of a URL hold nothing confidential.
    private var server: String {
        "The server\(failingURL?.host.map { " \($0)" } ?? "")\(failingURL?.port.map { ":\($0)" } ?? "")"
    }

    /// Whether libcurl speaks of TLS, for which there is no code on Linux.
    private var mentionsTLS: Bool { ["SSL", "TLS", "certificate"].contains { localizedDescription.contains($0) } }
}
