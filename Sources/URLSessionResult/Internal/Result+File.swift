import Foundation

extension Result where Success == URL, Failure == NetworkError {
    /// The downloaded file at its destination.
    func moved(to destination: URL) -> Self {
        flatMap { file in
            Result<URL, any Error> {
                try FileManager.default.moveItem(at: file, replacing: destination)
                return destination
            }.mapError(NetworkError.transportError)
        }
    }

    /// The bytes of the downloaded file, of which only what is read is loaded.
    func mapped() -> DataResult {
        flatMap { file in
            Result<Data, any Error> { try Data(mapping: file) }.mapError(NetworkError.transportError)
        }
    }
}

extension Data {
    /// Maps a file into memory; a URL of anything else is an error rather than a request.
    init(mapping file: URL) throws {
        guard file.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        // A pipe has no size, and mapping an empty file leaks on Linux (swift-foundation, `readBytesFromFile`).
        let hasSize = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize != 0
        self =
            hasSize
            ? try Data(contentsOf: file, options: .alwaysMapped)
            : try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
    }
}

extension FileManager {
    /// Puts a file in place in one step, creating the folder if there is none.
    fileprivate func moveItem(at file: URL, replacing destination: URL) throws {
        // Not with the URL, whose last part would be shown as the name of a file.
        guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
        let folder = destination.deletingLastPathComponent()
        try createDirectory(at: folder, withIntermediateDirectories: true)
        // Renaming is atomic only within a volume, and temporary files often live on another one.
        let staged = folder.appendingPathComponent(".\(UUID().uuidString).download")
        do {
            try moveItem(at: file, to: staged)
            guard rename(staged.path, destination.path) != 0 else { return }
            let cause = POSIXErrorCode(rawValue: errno) ?? .EIO
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The file could not be put in place: \(String(cString: strerror(cause.rawValue))).",
                    NSURLErrorKey: destination, NSUnderlyingErrorKey: POSIXError(cause),
                ])
        } catch {
            try? removeItem(at: staged)
            throw error
        }
    }
}
