#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

/// The delegate of a session that runs a single task for the sake of its progress.
///
/// Unchecked because it has subclasses; everything it stores is immutable and `Sendable`.
class ObservedTransfer<Body: Sendable>: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    fileprivate struct State {
        var bytes = Data()
        var file: URL?
        var completionHandler: CompletionHandler<Body>?
    }

    fileprivate let transfer: Transfer<Body>
    fileprivate let meter: ProgressMeter
    fileprivate let state = Locked(State())
    private let callersSession: URLSession
    private let taskGuard = TaskGuard()

    init(of transfer: Transfer<Body>, for session: URLSession, meter: ProgressMeter) {
        self.transfer = transfer
        self.meter = meter
        self.callersSession = session
    }

    func onCompletion(_ completionHandler: @escaping CompletionHandler<Body>) {
        state.withLock { $0.completionHandler = completionHandler }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard transfer.kind == .upload else { return }
        meter.update(completed: totalBytesSent, expected: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (body, completionHandler) = state.withLock { state in
            defer { state = State() }
            return (transfer.body(state.bytes, state.file), state.completionHandler)
        }
        guard let completionHandler else { return }
        taskGuard.complete(error == nil ? body : nil, error == nil ? task.response : nil, error, completionHandler)
    }

    // MARK: What the guard answers in the name of the caller's session

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

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        taskGuard.urlSession(callersSession, task: task, needNewBodyStream: completionHandler)
    }
}

/// Collects the body of a data or an upload task.
final class ObservedBytes<Body: Sendable>: ObservedTransfer<Body>, URLSessionDataDelegate, @unchecked Sendable {
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
        guard transfer.kind == .data else { return }
        meter.update(completed: Int64(received), expected: dataTask.countOfBytesExpectedToReceive)
    }
}

/// Takes the file of a download task.
///
/// It must not be a `URLSessionDataDelegate` as well: FoundationNetworking would treat its task as a data task, and end
/// the process, when it delivers the body of a redirect that is not followed.
final class ObservedDownload<Body: Sendable>: ObservedTransfer<Body>, URLSessionDownloadDelegate, @unchecked Sendable {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        meter.update(completed: totalBytesWritten, expected: totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        state.withLock { $0.file = location }
    }
}

#endif
