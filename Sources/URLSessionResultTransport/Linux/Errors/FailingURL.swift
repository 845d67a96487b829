#if canImport(FoundationNetworking)

import Foundation

extension TaskOutcome {
    /// The outcome of a request that fails at a URL.
    static func failure(_ code: URLError.Code, at url: URL?) -> TaskOutcome {
        // Workaround: failingURL
        var userInfo: [String: Any] = [:]
        userInfo[NSURLErrorFailingURLErrorKey] = url
        // The name NSURLErrorFailingURLStringErrorKey is deprecated. FoundationNetworking still sets the value.
        userInfo["NSErrorFailingURLStringKey"] = url?.absoluteString
        return TaskOutcome(error: URLError(code, userInfo: userInfo))
    }
}

#endif
