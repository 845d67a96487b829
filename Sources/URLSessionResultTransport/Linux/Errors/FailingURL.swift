#if canImport(FoundationNetworking)

import Foundation

extension TaskOutcome {
    /// The outcome of a request that fails at a URL.
    static func failure(_ code: URLError.Code, at url: URL?) -> TaskOutcome {
        var userInfo: [String: Any] = [:]
        userInfo[NSURLErrorFailingURLErrorKey] = url
        // The name NSURLErrorFailingURLStringErrorKey is deprecated. FoundationNetworking still sets the value.
        userInfo["NSErrorFailingURLStringKey"] = url?.absoluteString
        return TaskOutcome(error: URLError(code, userInfo: userInfo))
    }
}

// Workaround: `URLSession` names the first URL in an error after a redirect
// Instead: the library names the URL that failed
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.failingURL
// Upstream: not reported
// May go: nothing alone, because every request has a task of its own

#endif
