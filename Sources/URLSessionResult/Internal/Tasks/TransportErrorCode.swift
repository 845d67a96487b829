import Foundation

extension NetworkError {
    /// A `transportError` with an error of `URLSession`.
    @inline(never)  // Compiled once, as the functions in OutOfLine.swift.
    static func transportError(code: URLError.Code) -> NetworkError { .transportError(URLError(code)) }
}
