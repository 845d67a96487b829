import Foundation

extension Result where Success == URL, Failure == NetworkError {
    /// The downloaded file at its destination, or where it is when there is none.
    func moved(to destination: URL?) -> Self {
        guard let destination else { return self }
        return transformed { try FileManager.default.moveItem(at: $0, replacing: destination) }
    }

    /// The bytes of the downloaded file, of which only what is read is loaded.
    func mapped() -> DataResult {
        transformed { try Data(mapping: $0) }
    }

    private func transformed<T>(_ transform: (URL) throws -> T) -> Result<T, NetworkError> {
        flatMap { file in Result<T, any Error> { try transform(file) }.mapError(NetworkError.transportError) }
    }
}

extension Data {
    /// Maps a file into memory; a URL of anything else is an error rather than a request.
    init(mapping file: URL) throws {
        guard file.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        // A pipe has no size, and mapping an empty file leaks on Linux (swift-foundation, `readBytesFromFile`).
        if try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 0 {
            self = try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
        } else {
            try self.init(contentsOf: file, options: .alwaysMapped)
        }
    }
}

extension FileManager {
    /// Puts a file in place in one step, creating the folder if there is none, and returns the place.
    fileprivate func moveItem(at file: URL, replacing destination: URL) throws -> URL {
        // Not with the URL, whose last part would be shown as the name of a file.
        guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
        let folder = destination.deletingLastPathComponent()
        try createDirectory(at: folder, withIntermediateDirectories: true)
        // Renaming is atomic only within a volume, and temporary files often live on another one.
        let staged = folder.appendingPathComponent(".\(UUID().uuidString).download")
        defer { try? removeItem(at: staged) }
        try moveItem(at: file, to: staged)
        guard rename(staged.path, destination.path) != 0 else { return destination }
        let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: destination, NSUnderlyingErrorKey: cause])
    }
}
