import Foundation

extension Result where Success == URL, Failure == NetworkError {
    /// The downloaded file at the place for it, or where it is when there is none.
    func moved(to place: URL?) -> Self { place.map { place in transformed { try $0.moved(to: place) } } ?? self }

    /// The bytes of the downloaded file, of which only what is read is loaded.
    func mapped() -> DataResult { transformed { try $0.mapped() } }

    private func transformed<T>(_ transform: (URL) throws -> T) -> Result<T, NetworkError> {
        flatMap { file in Result<T, any Error> { try transform(file) }.mapError(NetworkError.transportError) }
    }
}

extension URL {
    /// Maps a file into memory; a URL of anything else is an error rather than a request.
    func mapped() throws -> Data {
        guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        // A pipe has no size, and reading an empty file like this leaks on Linux (swift-foundation,
        // `readBytesFromFile`).
        let isEmpty = try resourceValues(forKeys: [.fileSizeKey]).fileSize == 0
        guard isEmpty else { return try Data(contentsOf: self, options: .alwaysMapped) }
        return try FileHandle(forReadingFrom: self).readToEnd() ?? Data()
    }

    /// Puts a file in place in one step, creating the folder if there is none, and returns the place.
    fileprivate func moved(to destination: URL) throws -> URL {
        // Not with the URL, whose last part would be shown as the name of a file.
        guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
        let folder = destination.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Renaming is atomic only within a volume, and temporary files often live on another one.
        let staged = folder.appendingPathComponent(".\(UUID().uuidString).download")
        defer { try? FileManager.default.removeItem(at: staged) }
        try FileManager.default.moveItem(at: self, to: staged)
        if rename(staged.path, destination.path) == 0 { return destination }
        let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        throw CocoaError.error(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: cause], url: destination)
    }
}
