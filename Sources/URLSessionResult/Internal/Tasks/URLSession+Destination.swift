import Foundation
internal import URLSessionResultTransport

extension URLSession {
    /// Makes a download task for a destination, or a task that fails with the reason why there can be no file.
    func makeDownloadTask(
        for request: URLRequest, to destination: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        do {
            try destination.checkAsDestination()
            return makeDownloadTask(for: request, outcomeHandler: outcomeHandler)
        } catch {
            return makeFailingDownloadTask(for: request, with: error, outcomeHandler: outcomeHandler)
        }
    }
}
