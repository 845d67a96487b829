#if canImport(FoundationNetworking)

import Foundation

extension URLError {
    /// The error of a request that fails at a URL.
    init(_ code: URLError.Code, at url: URL?, saying message: String? = nil) {
        // Workaround: failingURL
        var userInfo: [String: Any] = [:]
        userInfo[NSURLErrorFailingURLErrorKey] = url
        // The name NSURLErrorFailingURLStringErrorKey is deprecated. FoundationNetworking still sets the value.
        userInfo["NSErrorFailingURLStringKey"] = url?.absoluteString
        userInfo[NSLocalizedDescriptionKey] = message
        self.init(code, userInfo: userInfo)
    }
}

#endif
