import Foundation

extension NetworkError {
    /// How many bytes an error keeps of a body that is not read into memory as a whole: that of a download or a stream.
    package static let keptByteCount = 1024 * 1024
}

extension Data {
    /// Appends bytes, up to the number that an error keeps.
    ///
    /// - Returns: Whether there are as many now.
    @discardableResult
    package mutating func keep(_ data: Data) -> Bool {
        append(data.prefix(NetworkError.keptByteCount - count))
        return count == NetworkError.keptByteCount
    }
}
