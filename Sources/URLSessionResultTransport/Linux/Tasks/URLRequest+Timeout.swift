#if canImport(FoundationNetworking)

import Foundation

extension URLRequest {
    /// The timeout of the request in a session, in whole seconds.
    ///
    /// FoundationNetworking cuts the fraction off, so that a timeout of 0.9 s ends the request at once. It crashes if the
    /// timeout is infinite. It ignores a timeout that was given to the initializer and not to the property
    /// (`_HTTPURLProtocol.configureEasyHandle`).
    ///
    /// - Parameter sessionTimeout: The timeout of the session, which a request with the default timeout uses.
    /// - Returns: The timeout in seconds.
    func wholeTimeout(sessionTimeout: TimeInterval) -> TimeInterval {
        // Workaround: timeoutOfInitializer
        (timeoutInterval == Self.defaultTimeout ? sessionTimeout : timeoutInterval).wholeSeconds
    }

    /// A request with this timeout uses that of its session.
    private static let defaultTimeout: TimeInterval = 60
}

extension TimeInterval {
    fileprivate var wholeSeconds: TimeInterval {
        // Also for a number that is infinite or none at all.
        guard self < Self.century else { return Self.century }
        // Workaround: fractionOfTimeout
        return max(rounded(.up), 0)
    }

    private static let century: TimeInterval = 100 * 365 * 24 * 60 * 60
}

#endif
