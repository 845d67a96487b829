import Foundation
internal import URLSessionResultTransport

extension URLSession {
    /// Makes a download task for a destination, or a task that fails with the reason why there can be no file.
    func makeDownloadTask(
        for request: URLRequest, to destination: URL, collecting metrics: CollectedMetrics? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        makeTask(for: request, to: destination, outcomeHandler) {
            makeDownloadTask(for: request, collecting: metrics, outcomeHandler: outcomeHandler)
        }
    }

    /// Makes a task that resumes a download to a destination, or a task that fails and leaves the resume data as good as it was.
    func makeDownloadTask(
        resumeData: Data, to destination: URL, collecting metrics: CollectedMetrics? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        makeTask(for: .forNothing, to: destination, outcomeHandler) {
            makeDownloadTask(resumeData: resumeData, collecting: metrics, outcomeHandler: outcomeHandler)
        }
    }

    private func makeTask(
        for request: URLRequest, to destination: URL, _ outcomeHandler: @escaping OutcomeHandler,
        afterCheck make: () -> URLSessionDownloadTask
    ) -> URLSessionDownloadTask {
        do {
            try destination.checkAsDestination()
            return make()
        } catch {
            return makeFailingDownloadTask(for: request, with: error, outcomeHandler: outcomeHandler)
        }
    }
}
