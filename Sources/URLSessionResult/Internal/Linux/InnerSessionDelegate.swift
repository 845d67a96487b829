#if canImport(FoundationNetworking)

import Foundation

/// Passes on what FoundationNetworking tells about a task, on its work queue. So nothing here waits.
final class InnerSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // FoundationNetworking does not wait for an answer.
        dataTask.ownerExchange?.receive(head, of: dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        dataTask.ownerExchange?.receive(data, of: dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        task.ownerExchange?.report(totalBytesSent, of: totalBytesExpectedToSend, isRequest: true)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // Its lock is held while a session is made.
        soon { InnerSession.transferHasEnded(in: session) }
        // A cancellation that has begun needs no `waitForLateCancellation()` here. Its second step is on the work queue, ahead
        // of the removal of the task.
        task.ownerExchange?.hopEnded(task, with: error)
    }
}

// Part of: InnerSession

#endif
