#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The delegate of a session that runs a single task for the sake of its progress.
final class TaskObserver: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    private let meter: ProgressMeter
    private let handler: OutcomeHandler
    private let outcome = Locked(TaskOutcome())

    init(meter: ProgressMeter, handler: @escaping OutcomeHandler) {
        self.meter = meter
        self.handler = handler
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // A challenge that was met is followed by a second response, whose body is the one that counts.
        outcome.withLock { $0.data = Data() }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let received = outcome.withLock { outcome in
            outcome.data?.append(data)
            return outcome.data?.count ?? 0
        }
        guard !(dataTask is URLSessionUploadTask) else { return }
        meter.update(completed: Int64(received), expected: dataTask.countOfBytesExpectedToReceive)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard task is URLSessionUploadTask else { return }
        meter.update(completed: totalBytesSent, expected: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        meter.update(completed: totalBytesWritten, expected: totalBytesExpectedToWrite)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        outcome.withLock { $0.file = file }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        var outcome = outcome.withLock { $0 }
        (outcome.response, outcome.error) = (task.response, error)
        handler(outcome)
    }
}

#endif
