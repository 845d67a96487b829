#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// What FoundationNetworking tells only the delegate of a session: how far a task is, and what it has ended in.
extension TaskGuard: URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// Observes one of several tasks that are over when any of them is.
    func observe(_ tasks: [URLSessionTask], by meter: ProgressMeter) {
        state.withLock { ($0.tasks, $0.meter) = (tasks, meter) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (count, meter) = state.withLock { state in
            state.received.append(data)
            return (state.received.count, state.meter)
        }
        guard !(dataTask is URLSessionUploadTask) else { return }
        meter?.update(completed: Int64(count), expected: dataTask.countOfBytesExpectedToReceive)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard task is URLSessionUploadTask else { return }
        state.withLock { $0.meter }?.update(completed: totalBytesSent, expected: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        state.withLock { $0.meter }?.update(completed: totalBytesWritten, expected: totalBytesExpectedToWrite)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        state.withLock { $0.file = file }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (data, file) = state.withLock { ($0.received, $0.file) }
        complete(with: TaskOutcome(data: data, file: file, response: task.response, error: error))
    }
}

#endif
