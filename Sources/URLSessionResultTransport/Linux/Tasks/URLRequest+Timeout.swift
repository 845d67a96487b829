#if canImport(FoundationNetworking)

import Foundation

extension TimeInterval {
    /// From this length on, a timeout counts as none. Dispatch and libcurl can count up to it.
    static let century: TimeInterval = 100 * 365 * 24 * 60 * 60
}

extension URLRequest {
    /// The timeout of the request in a session, in seconds, fractions included.
    ///
    /// - Parameter sessionTimeout: The timeout of the session, which a request with the default timeout uses.
    /// - Returns: The timeout, which is neither negative nor endless.
    func timeout(sessionTimeout: TimeInterval) -> TimeInterval {
        // Workaround: timeoutOfInitializer
        let timeout = timeoutInterval == Self.defaultTimeout ? sessionTimeout : timeoutInterval
        // Infinity and NaN are not less than a century, either.
        guard timeout < .century else { return .century }
        return max(timeout, 0)
    }

    /// A request with this timeout uses that of its session.
    private static let defaultTimeout: TimeInterval = 60

    /// The request with a timeout that FoundationNetworking respects: it cuts the fraction off, so that 0.9 s would be none.
    var withWholeTimeout: URLRequest {
        // Workaround: fractionOfTimeout
        var request = self
        request.timeoutInterval.round(.up)
        return request
    }
}

#endif
