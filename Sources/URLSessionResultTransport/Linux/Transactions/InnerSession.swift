#if canImport(FoundationNetworking)

import Foundation

/// The session in which FoundationNetworking loads what HTTP does not.
enum InnerSession {
    /// Makes a task for a transaction.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: What an upload sends. Nil for a task that is none.
    ///   - transaction: The transaction, which is told what arrives.
    /// - Returns: The task, which does not run yet.
    static func makeTask(for request: URLRequest, sending body: Data?, for transaction: Transaction) -> URLSessionTask {
        let task = body.map { session.uploadTask(with: request, from: $0) } ?? session.dataTask(with: request)
        task.delegate = transaction
        return task
    }

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // A task that is cancelled while it looks for a response in a cache is cancelled later, from another thread, which may be
        // after its end. That crashes.
        configuration.urlCache = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return URLSession(configuration: configuration, delegate: InnerSessionDelegate(), delegateQueue: queue)
    }()
}

/// Tells transactions what FoundationNetworking tells about their tasks.
private final class InnerSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive head: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // `completionHandler` is not called, because FoundationNetworking does not wait for an answer.
        dataTask.transaction?.receive(head) { work in
            // FoundationNetworking tells everything on this queue, one after the other.
            session.delegateQueue.addOperation(work)
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
        task.transaction?.ended(with: error)
    }
}

extension URLSessionTask {
    fileprivate var transaction: Transaction? { delegate as? Transaction }
}

extension URLSessionTask: Load {
    func start() { resume() }

    /// Cancels the task on another queue, because `cancel()` waits for the work queue.
    func stop() {
        onGlobalQueue { [self] in
            // Workaround: cancelledAtItsEnd
            guard state != .completed else { return }
            cancel()
        }
    }
}

#endif
