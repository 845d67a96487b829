#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension TaskGuard {
    /// Makes a task in an `InnerSession` that collects what a completion handler would be given.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - body: The data to send. Nil for a request without data, or with data of its own.
    ///   - isDownload: Whether the task makes a file.
    ///   - meter: The meter of the progress, if the task reports any.
    ///   - countsSentBytes: Whether the meter counts the bytes of the request, and not those of the response.
    /// - Returns: The task.
    func makeCollectingTask(
        for request: URLRequest, sending body: Data? = nil, isDownload: Bool, reportingTo meter: ProgressMeter?,
        countsSentBytes: Bool
    ) -> URLSessionTask {
        let innerSession = InnerSession.beginTransfer(of: owner, for: .wholeBodies)
        let session = innerSession.session
        let task = request.withStoredCookies(of: configuration) { request in
            if let body {
                session.uploadTask(with: request, from: body) as URLSessionTask
            } else if isDownload {
                session.downloadTask(with: request)
            } else {
                session.dataTask(with: request)
            }
        }
        task.delegate = CollectingTransfer(
            guardedBy: self, reportingTo: meter, countsSentBytes: countsSentBytes, in: innerSession)
        return task
    }
}

/// The delegate of one task in an `InnerSession`: it counts bytes, and collects what a completion handler would be given.
final class CollectingTransfer: NSObject, GuardedTransfer, URLSessionDownloadDelegate, Sendable {
    let taskGuard: TaskGuard

    /// Nil for a task that reports no progress.
    private let meter: ProgressMeter?

    /// Whether the meter counts the bytes of the request, and not those of the response.
    private let countsSentBytes: Bool
    private let innerSession: InnerSession
    private let receivedBody = Locked(Data())
    private let file = Locked<URL?>(nil)

    init(
        guardedBy taskGuard: TaskGuard, reportingTo meter: ProgressMeter?, countsSentBytes: Bool,
        in innerSession: InnerSession
    ) {
        self.taskGuard = taskGuard
        self.meter = meter
        self.countsSentBytes = countsSentBytes
        self.innerSession = innerSession
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let count = receivedBody.withLock { body in
            body.append(data)
            return Int64(body.count)
        }
        if !countsSentBytes { meter?.update(count, of: dataTask.countOfBytesExpectedToReceive) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        if countsSentBytes { meter?.update(totalBytesSent, of: totalBytesExpectedToSend) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        meter?.update(totalBytesWritten, of: totalBytesExpectedToWrite)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        self.file.withLock { $0 = file }
    }

    func takeEnd(of task: URLSessionTask, with error: (any Error)?) {
        task.waitForLateCancellation()
        innerSession.transferHasEnded()
        guard !taskGuard.completion.hasReplaced(task) else { return }
        let body = receivedBody.withLock { $0 }
        let file = file.withLock { $0 }
        let outcome = TaskOutcome(data: body, file: file, response: task.response, error: error)
        // If the queue of the caller runs several operations at once, this is another one.
        let callersQueue = taskGuard.owner.delegateQueue
        if innerSession.session.delegateQueue === callersQueue {
            taskGuard.finish(with: outcome)
        } else {
            callersQueue.addOperation { [taskGuard] in taskGuard.finish(with: outcome) }
        }
    }

    /// Makes a task for the request after a redirect.
    func makeTask(following task: URLSessionTask, with request: URLRequest) -> URLSessionTask {
        taskGuard.makeCollectingTask(
            for: request, isDownload: task is URLSessionDownloadTask, reportingTo: meter,
            countsSentBytes: countsSentBytes)
    }

    // MARK: Decisions of the guard

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        taskGuard.urlSession(session, task: task, didReceive: challenge) { [receivedBody] disposition, credential in
            // The bytes so far are the body of the challenge.
            if disposition == .useCredential { receivedBody.withLock { $0 = Data() } }
            completionHandler(disposition, credential)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        taskGuard.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: newRequest,
            completionHandler: completionHandler)
    }
}

#endif
