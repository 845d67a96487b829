import Foundation

extension NetworkError {
    /// Whether the connection is the reason, so that the same request may succeed later. If the reason is the URL, a certificate or
    /// a file, the request fails each time.
    var isTemporary: Bool {
        // Apple's platforms give this error after an app was suspended.
        if let error = underlyingError as? POSIXError { return error.code == .ECONNABORTED }
        return isOffline || isTimeout || urlError.map { temporaryCodes.contains($0.code) } ?? false
    }
}

private let temporaryCodes: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost,
]
