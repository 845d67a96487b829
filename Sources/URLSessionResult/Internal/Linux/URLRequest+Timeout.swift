#if canImport(FoundationNetworking)

import Foundation

extension URLRequest {
    /// The request with its timeout rounded up to whole seconds.
    ///
    /// FoundationNetworking cuts the fraction off, so that a timeout of 0.9 s ends the request at once. It crashes if the
    /// timeout is infinite. It ignores a timeout that was given to the initializer and not to the property
    /// (`_HTTPURLProtocol.configureEasyHandle`).
    ///
    /// - Parameter sessionTimeout: The timeout of the session, which a request with the default timeout uses.
    /// - Returns: The request.
    func withWholeSeconds(sessionTimeout: TimeInterval) -> URLRequest {
        var request = self
        if timeoutInterval != Self.defaultTimeout {
            request.timeoutInterval = timeoutInterval.wholeSeconds
        } else if sessionTimeout != sessionTimeout.wholeSeconds {
            request.timeoutInterval = sessionTimeout.wholeSeconds
        }
        return request
    }

    /// A request with this timeout uses that of its session, unless the property was set.
    static let defaultTimeout: TimeInterval = 60
}

extension TimeInterval {
    fileprivate var wholeSeconds: TimeInterval {
        // Also for a number that is infinite or none at all.
        guard self < Self.century else { return Self.century }
        return ceil(self)
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
