import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

typealias OutcomeHandler = @Sendable (TaskOutcome) -> Void

/// What a completion handler was given.
struct TaskOutcome: Sendable {
    /// How much of the body of a refused download is kept for the error.
    private static let errorBodyLimit = 1 << 20

    var data: Data?
    var file: URL?
    var response: URLResponse?
    var error: (any Error)?

    /// The body of a data or an upload task, or why there is none.
    func data(accepting statusCodes: some Collection<Int>) -> DataResult {
        DataResult(data: data, response: response, error: error, accepting: statusCodes)
    }

    /// The body of a data task with its response, or why there is none.
    func response(accepting statusCodes: some Collection<Int>) -> Result<NetworkResponse<Data>, NetworkError> {
        data(accepting: statusCodes).flatMap { body in
            // A body comes only after a response.
            response.map { .success(NetworkResponse(body: body, urlResponse: $0)) } ?? .failure(.noData)
        }
    }

    /// The temporary file of a download task, or why there is none.
    func file(accepting statusCodes: some Collection<Int>) -> Result<URL, NetworkError> {
        // The funnel looks at whether there is a body; the bytes are read only for an error to carry.
        let body = file.map { _ in Data() }
        return switch NetworkError(data: body, response: response, error: error, accepting: statusCodes) {
        case .serverError(let statusCode, let response):
            .failure(.serverError(statusCode: statusCode, response: response.map { _ in errorBody }))
        case let failure?: .failure(failure)
        case nil: file.map(Result.success) ?? .failure(.noData)
        }
    }

    /// The beginning of the body of a refused download. That it cannot be read must not hide what the server said.
    private var errorBody: Data {
        guard let file, let handle = try? FileHandle(forReadingFrom: file) else { return Data() }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: Self.errorBodyLimit)) ?? Data()
    }
}

extension Result where Success == URL, Failure == NetworkError {
    /// The downloaded file at its destination.
    func moved(to destination: URL) -> Self {
        flatMap { file in
            do {
                try FileManager.default.moveItem(at: file, replacing: destination)
                return .success(destination)
            } catch {
                return .failure(.transportError(error))
            }
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
        guard file.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: file]) }
        // Reading an empty file leaks its buffer on Linux (swift-foundation, `readBytesFromFile`).
        let isEmpty = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 0
        self = isEmpty ? Data() : try Data(contentsOf: file, options: .alwaysMapped)
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
            guard rename(staged.path, destination.path) != 0 else { return }
            let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: destination, NSUnderlyingErrorKey: cause])
        } catch {
            try? removeItem(at: staged)
            throw error
        }
    }
}
