#if canImport(FoundationNetworking)

import Foundation

/// Tells transactions what FoundationNetworking tells about their tasks, for HTTP on its work queue. So nothing here waits.
final class InnerSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// Guards the number of requests: any thread begins one, and the work queue ends it. `InnerSession.pool` may be held when it is
    /// taken.
    let use = Locked(InnerSession.Use())

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        dataTask.withholdTrailers(of: head)
        // FoundationNetworking does not wait for an answer.
        dataTask.transaction?.receive(head) { work in
            // FoundationNetworking adds the answer to the delegate queue, as all that it tells.
            session.getAllTasks { _ in work() }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        dataTask.transaction?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        task.transaction?.sent(totalBytesSent)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let requestsInFlight = use.withLock { use in
            use.end()
            return use.requestsInFlight
        }
        if requestsInFlight == 0 {
            InnerSession.watchUnused()
        } else if error != nil {
            session.letNextRequestBegin()
        }
        task.transaction?.ended(with: error?.unlessComplete(task.response))
    }
}

extension URLSessionTask {
    fileprivate var transaction: Transaction? { delegate as? Transaction }
}

extension URLSessionTask: Load {
    var statusCodeOfServer: Int? { libcurlTransfer()?.statusCode }

    func start() { resume() }

    /// `cancel()` waits for the work queue.
    func stop() {
        // Workaround: waitingCancellation
        soon { [self] in
            // Workaround: cancelledAtItsEnd
            guard state != .completed else { return }
            cancel()
        }
    }
}

#endif
