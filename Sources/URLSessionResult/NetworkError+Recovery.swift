import Foundation

/// What an error offers for another attempt.
extension NetworkError {
    /// Decodes the body of an error response.
    ///
    /// ```swift
    /// if let reason = error.body(with: .json(APIError.self)) {
    ///     show(reason.message)
    /// }
    /// ```
    ///
    /// Use `response?.decode(with:)` to learn why a body cannot be decoded.
    ///
    /// - Parameter decoder: The decoder for the body. It runs on the caller's actor. A decoder for JSON uses its own `JSONDecoder`, or
    ///   a new one, and not that of a client: give `using: client.decoder` where its dates or keys count.
    /// - Returns: The value, or `nil` if the error has no response or the decoder fails.
    public func body<T>(with decoder: ResultDecoder<T>) -> T? {
        guard case .success(let value)? = response?.decode(with: decoder) else { return nil }
        return value
    }

    /// The resume data of an interrupted download or upload, or `nil` if it cannot go on.
    ///
    /// Pass it to a method with `resumeFrom:` or `withResumeData:`. On Linux, only downloads have it.
    public var resumeData: Data? {
        guard case .transportError(let error) = self else { return nil }
        let info = (error as NSError).userInfo
        return resumeDataKeys.lazy.compactMap { info[$0] as? Data }.first
    }
}

/// The values of `NSURLSessionDownloadTaskResumeData` and `NSURLSessionUploadTaskResumeData`, the second of which begins with macOS 14:
/// https://developer.apple.com/documentation/foundation/nsurlsessiondownloadtaskresumedata
private let resumeDataKeys = ["NSURLSessionDownloadTaskResumeData", "NSURLSessionUploadTaskResumeData"]
