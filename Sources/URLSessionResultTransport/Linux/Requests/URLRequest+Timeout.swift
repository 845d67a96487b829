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
        (timeoutInterval == Self.defaultTimeout ? sessionTimeout : timeoutInterval).wholeSeconds
    }

    /// A request with this timeout uses that of its session.
    private static let defaultTimeout: TimeInterval = 60
}

extension TimeInterval {
    fileprivate var wholeSeconds: TimeInterval {
        // Also for a number that is infinite or none at all.
        guard self < Self.century else { return Self.century }
        return max(rounded(.up), 0)
    }

    private static let century: TimeInterval = 100 * 365 * 24 * 60 * 60
}

// Workaround: `URLSession` cuts timeouts to whole seconds, so that 0.9 s is a timeout at once
// Instead: the library rounds them up to whole seconds
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` ignores a timeout that is given to `URLRequest.init`
// Instead: the library respects it
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.timeoutOfInitializer
// Upstream: not reported
// May go: this file

#endif
