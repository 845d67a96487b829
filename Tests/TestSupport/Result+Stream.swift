import Foundation
import URLSessionResult

extension Result where Success == NetworkResponse<ResponseBytes>, Failure == NetworkError {
    /// Reads the body to its end.
    func collected() async -> DataResult {
        var body = Data()
        do throws(NetworkError) {
            for try await chunk in try get().body.chunks { body += chunk }
        } catch {
            return .failure(error)
        }
        return .success(body)
    }
}
