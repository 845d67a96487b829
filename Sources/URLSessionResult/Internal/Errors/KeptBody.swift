extension NetworkError {
    /// How many bytes an error keeps of a body that is not read into memory as a whole: that of a download or a stream.
    package static let keptByteCount = 1024 * 1024
}
