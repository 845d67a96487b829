#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Synchronization

/// Answers the two questions that FoundationNetworking answers badly when nobody else does.
///
/// * A `401` that no credential can meet is never completed, and no timeout fires
///   (https://github.com/swiftlang/swift-corelibs-foundation/issues/5456, fixed in Swift 6.3.2). The guard cancels the
///   task and completes it with the response of the challenge, whose body is lost.
/// * A redirect takes every header along to any origin. The guard removes credentials when the origin changes.
///
/// The session's own delegate is asked first. What it decides stands; what it leaves to the default, the guard does.
final class TaskGuard: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    struct State {
        /// Called once when the task is over.
        var handler: OutcomeHandler?
        /// What an upload sends, which no task tells.
        var body = Data()
        /// What the task has ended in, where the guard knows better than the task.
        var verdict: Outcome?
        /// Whether a credential has been sent.
        var hasMetChallenge = false
        /// The task that was asked for and the one that is run in its place, to be observed.
        var tasks: [URLSessionTask] = []
        var meter: Locked<ProgressMeter>?
        var received = Data()
        var file: URL?
    }

    /// Leaves every decision to the default.
    private final class NoDelegate: NSObject, URLSessionTaskDelegate {}

    let state = Mutex(State())
    private let owner: URLSession

    private var delegate: any URLSessionTaskDelegate { owner.delegate as? any URLSessionTaskDelegate ?? NoDelegate() }

    /// - Parameter owner: The session that the task was asked of.
    init(of owner: URLSession) { self.owner = owner }

    /// Calls the handler, unless that was done, and removes the temporary file of a download unless it was moved.
    func complete(with outcome: Outcome) {
        let end = state.withLock { exchange(&$0, with: State(file: $0.file)) }
        let outcome = end.verdict ?? outcome
        end.handler?(outcome)
        for task in end.tasks { task.cancel() }
        if let file = outcome.file { try? FileManager.default.removeItem(at: file) }
    }

    private func end(_ task: URLSessionTask, as outcome: Outcome) {
        state.withLock { $0.verdict = outcome }
        task.cancel()
    }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        delegate.urlSession(owner, task: task, didReceive: challenge) { disposition, credential in
            // Once the task is over, an answer would keep it and its session for ever.
            guard task.state == .running || task.state == .suspended else { return }
            guard disposition != .cancelAuthenticationChallenge else { return task.cancel() }
            let credential = disposition == .performDefaultHandling ? self.storedCredential(for: challenge) : credential
            // A URLProtocol may ask about any scheme. FoundationNetworking ends the process when another is answered.
            let isBasic = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
            // FoundationNetworking sends it to the origin of the first request, whoever asks after a redirect.
            let isForOrigin = challenge.failureResponse?.url?.origin == task.originalRequest?.url?.origin
            if let credential, isBasic, isForOrigin, disposition != .rejectProtectionSpace {
                // What was received is the body of the challenge.
                self.state.withLock { ($0.hasMetChallenge, $0.received) = (true, Data()) }
                return completionHandler(.useCredential, credential)
            }
            #if compiler(>=6.3.2)
            if challenge.proposedCredential == nil { return completionHandler(.performDefaultHandling, nil) }
            #endif
            // A URLProtocol may ask without the answer of any server.
            let response = challenge.failureResponse
            let error = response == nil ? URLError(.userAuthenticationRequired) : nil
            self.end(task, as: Outcome(data: Data(), response: response, error: error))
        }
    }

    /// The credential that the storage has for a challenge, unless the server has refused it already.
    ///
    /// FoundationNetworking looks for the very object that a credential was stored for, and finds none but that of a
    /// storage with a mind of its own.
    private func storedCredential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
        guard challenge.previousFailureCount == 0 else { return nil }
        let all = owner.configuration.urlCredentialStorage?.allCredentials
        let same = all?.first { $0.key.parts == challenge.protectionSpace.parts }?.value
        let found = challenge.proposedCredential ?? same?.min { $0.key < $1.key }?.value
        // One that may be kept would be stored again with every request, for a new object each time.
        return found.map { URLCredential(user: $0.user ?? "", password: $0.password ?? "", persistence: .none) }
    }

    // MARK: Redirects

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = newRequest
        request.follow(from: response.url, in: session.configuration)
        delegate.urlSession(owner, task: task, willPerformHTTPRedirection: response, newRequest: request) { request in
            if task.response === response {
                // The timeout fired while the answer was awaited. It leaves the task with the response of the redirect
                // and its handler uncalled, and an answer would end the process.
                self.end(task, as: Outcome(error: URLError(.timedOut)))
            } else if request == nil ? task is URLSessionDownloadTask : self.state.withLock({ $0.hasMetChallenge }) {
                // The body of a redirect that is not followed is delivered as that of a data task. And after a
                // challenge that was met, its request is sent again and again in place of the one that follows.
                self.end(task, as: Outcome(data: Data(), response: response))
            } else if task.state == .running || task.state == .suspended {
                // Once the task is cancelled, too, an answer would end the process.
                completionHandler(request)
            }
        }
    }

    // MARK: What FoundationNetworking tells only the delegate of a session: how far a task is, and what it has ended in

    private var meter: Locked<ProgressMeter>? { state.withLock { $0.meter } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.received.append(data) }
        guard !(dataTask is URLSessionUploadTask) else { return }
        let count = Int64(state.withLock { $0.received.count })
        meter?.withLock { $0.update(count, of: dataTask.countOfBytesExpectedToReceive) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        if task is URLSessionUploadTask { meter?.withLock { $0.update(totalBytesSent, of: totalBytesExpectedToSend) } }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) { meter?.withLock { $0.update(totalBytesWritten, of: totalBytesExpectedToWrite) } }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        state.withLock { $0.file = file }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (data, file) = state.withLock { ($0.received, $0.file) }
        complete(with: Outcome(data: data, file: file, response: task.response, error: error))
    }
}

extension URLProtectionSpace {
    /// What makes two of them equal.
    fileprivate var parts: [String?] { [host, "\(port)", `protocol`, realm, authenticationMethod] }
}

extension URLRequest {
    /// Makes of what FoundationNetworking would send after a redirect what may be sent.
    ///
    /// Credentials are removed when the origin changes, as the WHATWG fetch standard does ("HTTP-redirect fetch").
    /// A delegate's request is sent as it is, so the cookies stored for its URL are added here.
    fileprivate mutating func follow(from source: URL?, in configuration: URLSessionConfiguration) {
        guard let url else { return }
        if url.origin != source?.origin {
            // The configuration adds its headers to every request that lacks them. libcurl leaves out a blank one.
            let added = (configuration.httpAdditionalHeaders ?? [:]).keys.map { "\($0)".lowercased() }
            let names = ["authorization", "cookie", "proxy-authorization"]
            for name in names { setValue(added.contains(name) ? " " : nil, forHTTPHeaderField: name) }
            // A `Location` without a scheme inherits the user and password of the first URL.
            if url.user != nil, url.user == source?.user, var parts = URLComponents(string: url.absoluteString) {
                (parts.user, parts.password) = (nil, nil)
                self.url = parts.url
            }
        }
        let cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage?.cookies(for: url) : nil
        let fields = HTTPCookie.requestHeaderFields(with: cookies ?? [])
        for (name, value) in fields { setValue(value, forHTTPHeaderField: name) }
    }
}

extension URL {
    /// Scheme, host and port (RFC 6454, section 4).
    var origin: [String?] {
        [scheme?.lowercased(), host?.lowercased(), "\(port ?? (scheme?.lowercased() == "https" ? 443 : 80))"]
    }
}

extension URLSession {
    /// Makes a task and arms it: its handler is called whatever the server does, and its credentials stay with the
    /// origin that they are for.
    func armed<Task: URLSessionTask>(
        _ handler: @escaping OutcomeHandler, body: Data = Data(), _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task {
        let taskGuard = TaskGuard(of: self)
        taskGuard.state.withLock { ($0.handler, $0.body) = (handler, body) }
        let task = makeTask { taskGuard.complete(with: $0) }
        task.delegate = taskGuard
        return task
    }

    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    func uploadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        uploadTask(with: Self.unsendable, from: nil, outcomeHandler: { outcomeHandler($0.failed()) })
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may end the process when asked to.
    func downloadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(with: Self.unsendable, outcomeHandler: { outcomeHandler($0.failed()) })
    }

    /// Has a task report its progress, and returns the task to resume.
    ///
    /// FoundationNetworking tells only the delegate of a session how far a task is. So another task is run in place of
    /// this one, in a session made for it, with the configuration and the queue of the caller's, or a serial one beside
    /// that. The one that was asked for is never resumed, and ties the other to the caller's session: invalidating that
    /// cancels both or waits for both.
    func observed(_ task: URLSessionTask, by meter: Locked<ProgressMeter>) -> URLSessionTask {
        guard let taskGuard = task.delegate as? TaskGuard, let request = task.originalRequest else { return task }
        let handlers = (configuration.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
        // A download by another protocol, as that of a test, ends the process when a delegate is told of it. Those
        // registered for all sessions come last.
        let isHTTP = handlers.first { $0.canInit(with: request) }.map { "\($0)" == "_HTTPURLProtocol" }
        guard isHTTP ?? ["http", "https"].contains(request.url?.scheme) else { return task }
        // Several operations at once would shuffle the body.
        let isSerial = delegateQueue.maxConcurrentOperationCount == 1
        let queue = isSerial ? delegateQueue : OperationQueue()
        if !isSerial { (queue.maxConcurrentOperationCount, queue.underlyingQueue) = (1, delegateQueue.underlyingQueue) }
        let session = URLSession(configuration: configuration, delegate: taskGuard, delegateQueue: queue)
        defer { session.finishTasksAndInvalidate() }
        let replacement =
            switch task {
            case is URLSessionUploadTask: session.uploadTask(with: request, from: taskGuard.state.withLock { $0.body })
            case is URLSessionDownloadTask: session.downloadTask(with: request)
            default: session.dataTask(with: request)
            }
        taskGuard.state.withLock { ($0.tasks, $0.meter) = ([task, replacement], meter) }
        // It may have been cancelled meanwhile, with the session.
        if task.state != .suspended { replacement.cancel() }
        return replacement
    }
}

#endif
