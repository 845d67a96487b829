#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The delegate of a session that runs a single task for the sake of its progress.
///
/// Unchecked because its superclass is; what it stores is immutable or behind a lock.
final class TaskObserver: TaskGuard, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    private let transfer: Transfer
    private let meter: ProgressMeter
    private let state = Locked<(outcome: TaskOutcome, handler: OutcomeHandler?)>((TaskOutcome(), nil))

    init(of transfer: Transfer, in session: URLSession, meter: ProgressMeter) {
        self.transfer = transfer
        self.meter = meter
        super.init(inNameOf: session)
    }

    func onCompletion(_ handler: @escaping OutcomeHandler) {
        state.withLock { $0.handler = handler }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // A challenge that was met is followed by a second response, whose body is the one that counts.
        state.withLock { $0.outcome.data = Data() }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let received = state.withLock { state in
            state.outcome.data?.append(data)
            return state.outcome.data?.count ?? 0
        }
        guard !transfer.isUpload else { return }
        meter.update(completed: Int64(received), expected: dataTask.countOfBytesExpectedToReceive)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard transfer.isUpload else { return }
        meter.update(completed: totalBytesSent, expected: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        meter.update(completed: totalBytesWritten, expected: totalBytesExpectedToWrite)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        state.withLock { $0.outcome.file = file }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        var (outcome, handler) = state.withLock { state in
            defer { state = (TaskOutcome(), nil) }
            return state
        }
        outcome.response = task.response
        handler?(verdict ?? (error.map { TaskOutcome(error: $0) } ?? outcome))
        outcome.file.map(FileManager.default.discardItem)
    }
}

#endif
