import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the completion handler of a download task was given.
struct Download {
    /// How much of the body of a refused download is kept for the error.
    private static let errorBodyLimit = 1 << 20

    let file: URL?
    let response: URLResponse?
    let error: (any Error)?

    /// The temporary file, or why there is none.
    func result(accepting statusCodes: some Collection<Int>) -> Result<URL, NetworkError> {
        // The funnel decides on the body's presence alone; the bytes are read only when an error carries them.
        switch (failure(body: file.map { _ in Data() }, accepting: statusCodes), file) {
        case (.serverError, let file?):
            return failure(body: errorBody(in: file), accepting: statusCodes).map(Result.failure) ?? .success(file)
        case (let failure?, _):
            return .failure(failure)
        case (nil, let file?):
            return .success(file)
        case (nil, nil):
            return .failure(.noData)
        }
    }

    /// Removes the temporary file unless the handler moved it: on Linux nobody else does.
    func discard() {
        guard let file, FileManager.default.fileExists(atPath: file.path) else { return }
        try? FileManager.default.removeItem(at: file)
    }

    private func failure(body: Data?, accepting statusCodes: some Collection<Int>) -> NetworkError? {
        NetworkError(data: body, response: response, error: error, accepting: statusCodes)
    }

    /// The beginning of the body. One that cannot be read must not hide what the server said.
    private func errorBody(in file: URL) -> Data {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return Data() }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: Self.errorBodyLimit)) ?? Data()
    }
}

extension Result where Success == URL, Failure == NetworkError {
    /// The downloaded file at its destination.
    func moved(to destination: URL) -> Self {
        flatMap { file in
            Result<Void, any Error> { try FileManager.default.moveItem(at: file, replacing: destination) }
                .map { destination }
                .mapError(NetworkError.transportError)
        }
    }

    /// The bytes of the downloaded file, mapped into memory so that only what is read is loaded.
    func mapped() -> DataResult {
        flatMap { file in
            Result<Data, any Error> { try Data(mapping: file) }
                .mapError(NetworkError.transportError)
        }
    }
}

extension Data {
    /// Maps a file into memory. Unlike `init(contentsOf:options:)` it takes no URL that is fetched from elsewhere.
    init(mapping file: URL) throws {
        guard file.isFileURL else {
            throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: file])
        }
        try self.init(contentsOf: file, options: .alwaysMapped)
    }
}

extension FileManager {
    /// Puts a file in place in one step, creating the folder if there is none.
    fileprivate func moveItem(at file: URL, replacing destination: URL) throws {
        guard destination.isFileURL else {
            throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: destination])
        }
        let folder = destination.deletingLastPathComponent()
        try createDirectory(at: folder, withIntermediateDirectories: true)
        // Renaming is atomic only within a volume, and temporary files often live on another one.
        let staged = folder.appendingPathComponent(".\(UUID().uuidString).download")
        do {
            try moveItem(at: file, to: staged)
            guard rename(staged.path, destination.path) == 0 else {
                let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                throw CocoaError(
                    .fileWriteUnknown, userInfo: [NSURLErrorKey: destination, NSUnderlyingErrorKey: cause])
            }
        } catch {
            try? removeItem(at: staged)
            throw error
        }
    }
}
