import Foundation

extension NetworkError {
    /// A `transportError` with an error of `URLSession`.
    ///
    /// Compiled once, as the functions in OutOfLine.swift.
    @inline(never) @usableFromInline
    static func transportError(code: URLError.Code) -> NetworkError { .transportError(URLError(code)) }
}
