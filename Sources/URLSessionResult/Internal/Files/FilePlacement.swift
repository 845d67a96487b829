import Foundation

extension URL {
    /// Moves a file to its destination in one step. Missing folders are created.
    ///
    /// A failure leaves the destination as it was.
    fileprivate func placed(at destination: URL) throws -> URL {
        // Without the URL: a sentence would show its last part as the name of a file.
        guard destination.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
        let folder = destination.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Renaming is atomic only within a volume, and temporary files are often on another one.
        let stagingPlace = StagingPlace(for: destination)
        defer { stagingPlace.remove() }
        try FileManager.default.moveItem(at: self, to: stagingPlace.file)
        guard rename(stagingPlace.file.path, destination.path) == 0 else {
            let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            throw CocoaError.error(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: reason], url: destination)
        }
        return destination
    }
}

extension Result where Success == URL, Failure == NetworkError {
    /// The downloaded file at its destination, or where it is if there is no destination.
    func placed(at destination: URL?) -> Self {
        guard let destination else { return self }
        return flatMap { file in
            do {
                return .success(try file.placed(at: destination))
            } catch {
                return .failure(.transportError(error))
            }
        }
    }
}

extension Result where Success == NetworkResponse<URL>, Failure == NetworkError {
    /// The response with the downloaded file at its destination.
    func placed(at destination: URL) -> Self {
        flatMap { response in
            Result<URL, NetworkError>.success(response.body).placed(at: destination).map { file in
                response.map { _ in file }
            }
        }
    }
}
