#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The delegate of a session that runs a single task for the sake of its progress.
final class ObservedTransfer<Body: Sendable>: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    private struct State {
        var bytes = Data()
        var file: URL?
        var completionHandler: CompletionHandler<Body>?
    }

    private let transfer: Transfer<Body>
    private let callersSession: URLSession
    private let meter: ProgressMeter
    private let taskGuard = TaskGuard()
    private let state = Locked(State())

    init(of transfer: Transfer<Body>, for session: URLSession, meter: ProgressMeter) {
        self.transfer = transfer
        self.callersSession = session
        self.meter = meter
    }

    func onCompletion(_ completionHandler: @escaping CompletionHandler<Body>) {
        state.withLock { $0.completionHandler = completionHandler }
    }

    // MARK: The body of the response

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // A challenge that was met is followed by a second response, whose body is the one that counts.
        state.withLock { $0.bytes = Data() }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let received = state.withLock { state in
            state.bytes.append(data)
            return state.bytes.count
        }
        update(.receiving, completed: Int64(received), expected: dataTask.countOfBytesExpectedToReceive)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        update(.receiving, completed: totalBytesWritten, expected: totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        state.withLock { $0.file = location }
    }

    // MARK: The body of the request

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        update(.sending, completed: totalBytesSent, expected: totalBytesExpectedToSend)
    }

    private func update(_ direction: Transfer<Body>.Direction, completed: Int64, expected: Int64) {
        guard direction == transfer.direction else { return }
        meter.update(completed: completed, expected: expected)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        taskGuard.urlSession(callersSession, task: task, needNewBodyStream: completionHandler)
    }

    // MARK: Challenges, redirects and the end

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        taskGuard.urlSession(callersSession, task: task, didReceive: challenge, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        taskGuard.urlSession(
            callersSession, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (body, completionHandler) = state.withLock { state in
            defer { state = State() }
            return (transfer.body(state.bytes, state.file), state.completionHandler)
        }
        guard let completionHandler else { return }
        taskGuard.complete(error == nil ? body : nil, error == nil ? task.response : nil, error, completionHandler)
    }
}

#endif
