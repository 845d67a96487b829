#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
    /// Makes a task report its progress, and returns the task to resume.
    ///
    /// FoundationNetworking reports progress to the delegate of a session only. So another task runs instead, in a
    /// `InnerSession`. The task that was asked for is never resumed. It ties the other one to the caller's session:
    /// invalidating that session cancels both tasks or waits for both.
    ///
    /// A task of another `URLProtocol` than that of HTTP stays as it is: FoundationNetworking crashes when the delegate of
    /// a session is told about a download by such a protocol.
    func reporting(_ task: URLSessionTask, to meter: ProgressMeter) -> URLSessionTask {
        guard let taskGuard = task.delegate as? TaskGuard, let request = task.originalRequest,
            configuration.loadsOverHTTP(request)
        else { return task }
        let innerSession = InnerSession.beginTransfer(of: self, for: .wholeBodies)
        let session = innerSession.session
        let replacement = request.withStoredCookies(of: configuration) { request in
            switch task {
            case is URLSessionUploadTask: session.uploadTask(with: request, from: taskGuard.takeBodyOfReplacement())
            case is URLSessionDownloadTask: session.downloadTask(with: request)
            default: session.dataTask(with: request)
            }
        }
        replacement.delegate = CollectingTransfer(
            guardedBy: taskGuard, reportingTo: meter, countsSentBytes: task is URLSessionUploadTask, in: innerSession)
        taskGuard.completion.replace(task, by: replacement)
        return replacement
    }
}

/// The delegate of one task in an `InnerSession`: it counts bytes, and collects what a completion handler would be given.
final class CollectingTransfer: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    private let taskGuard: TaskGuard

    /// Nil for a task that reports no progress.
    private let meter: ProgressMeter?

    /// Whether the meter counts the bytes of the request, and not those of the response.
    private let countsSentBytes: Bool
    private let innerSession: InnerSession
    private let receivedBody = Locked(Data())
    private let file = Locked<URL?>(nil)

    /// Whether another task follows the redirect of this one.
    private let isFollowed = Locked(false)

    init(
        guardedBy taskGuard: TaskGuard, reportingTo meter: ProgressMeter?, countsSentBytes: Bool = false,
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

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        task.waitForLateCancellation()
        innerSession.transferHasEnded()
        guard !isFollowed.withLock({ $0 }) else { return }
        let body = receivedBody.withLock { $0 }
        let file = file.withLock { $0 }
        let outcome = TaskOutcome(data: body, file: file, response: task.response, error: error)
        // If the queue of the caller runs several operations at once, this is another one.
        let callersQueue = taskGuard.owner.delegateQueue
        if session.delegateQueue === callersQueue {
            taskGuard.finish(with: outcome)
        } else {
            callersQueue.addOperation { [taskGuard] in taskGuard.finish(with: outcome) }
        }
    }

    /// Makes a task for the request after a redirect.
    func makeTask(following task: URLSessionTask, with request: URLRequest) -> URLSessionTask {
        isFollowed.withLock { $0 = true }
        return taskGuard.makeTask(
            following: task, with: request, reportingTo: meter, countsSentBytes: countsSentBytes)
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
