import Foundation

extension Error {
    /// The error as a `URLError`, if its domain says so. On Linux, casting an `NSError` of this domain to `URLError` fails.
    package var asURLError: URLError? {
        let error = self as NSError
        guard error.domain == NSURLErrorDomain else { return nil }
        // The initializer is failable on Linux only.
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        return code.map { URLError($0, userInfo: error.userInfo) }
    }
}
