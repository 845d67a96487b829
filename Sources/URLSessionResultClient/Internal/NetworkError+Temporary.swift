import Foundation

extension NetworkError {
    /// Whether the connection is the reason, so that the same request may succeed later. A URL, a certificate or a file is a reason
    /// that stays.
    var isTemporary: Bool {
        // On Apple's platforms, after an app was suspended.
        if let error = underlyingError as? POSIXError { return error.code == .ECONNABORTED }
        return isOffline || isTimeout || urlError.map { temporaryCodes.contains($0.code) } ?? false
    }
}

private let temporaryCodes: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost,
]
