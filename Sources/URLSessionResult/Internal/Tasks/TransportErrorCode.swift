import Foundation

extension NetworkError {
    /// A `transportError` with an error of `URLSession`.
    package static func transportError(code: URLError.Code) -> NetworkError { .transportError(URLError(code)) }
}
