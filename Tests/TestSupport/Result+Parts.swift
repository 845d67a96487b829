import Foundation
import URLSessionResult

extension Result where Failure == NetworkError {
    /// The error of a failure.
    var error: NetworkError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

extension Result where Success == URL, Failure == NetworkError {
    /// The bytes of a downloaded file, while it exists.
    var contents: DataResult {
        flatMap { file in Result<Data, any Error> { try Data(contentsOf: file) }.mapError(NetworkError.transportError) }
    }

    /// Reads a temporary file and removes it. The process of an exit test may be over when the handler returns, and then nobody else
    /// would remove it.
    func takeContents() -> DataResult {
        defer { if case .success(let file) = self { try? FileManager.default.removeItem(at: file) } }
        return contents
    }
}
