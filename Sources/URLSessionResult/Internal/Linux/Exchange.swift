#if canImport(FoundationNetworking)

import Foundation
import Synchronization

/// A request of the caller from its start to its end, whatever number of tasks it takes.
///
/// The caller's task sends it. Where a redirect or a challenge asks for another request, a new task sends that one, in the
/// `InnerSession`, and the task that asked is dropped. So FoundationNetworking is given no answer that makes it send a
/// request. It crashes when such an answer meets a timeout, a cancellation or another response of the same connection, and
/// nothing shows these from outside.
///
/// The caller's task ties the request to the caller's session: it waits until the request is over, and cancelling it, or
/// invalidating its session, ends the request.
///
/// **Nothing here waits.** FoundationNetworking runs the tasks of all sessions on one queue, its work queue, and many
/// methods of a task wait for that queue, for example `cancel()` and `resume()`. So what runs on the work queue never waits
/// for another queue, for a reader, or for a lock that is held over a call. The lock of an exchange is held over no call.
final class Exchange: NSObject, Sendable {
    /// The session of the caller.
    let session: URLSession
    let configuration: URLSessionConfiguration

    /// The request of the caller, without cookies from the storage.
    let request: URLRequest

    /// Who loads the request of the caller.
    private let loader: Loader

    /// Nil for a response that a handler gets when it is whole.
    let stream: StreamedResponse?
    let state: Mutex<ExchangeState>

    /// Where the cookies of responses go. A `URLProtocol` of the caller stores its cookies itself, as on Apple's platforms
    /// (https://github.com/lionheart/openradar-mirror/issues/18349).
    private let cookieStorage: HTTPCookieStorage?

    /// Nil for a session with the default timeout.
    private let resourceTimeout: ResourceTimeout?

    /// A task of the caller's session that is never resumed. It ties the request to that session, which waits for it, and
    /// cancels it when it is invalidated.
    ///
    /// Unsafe only to the compiler: it is set before anybody has the exchange.
    nonisolated(unsafe) private(set) var anchor: URLSessionTask!
    nonisolated(unsafe) private var anchorMayRun = false

    init(
        session: URLSession, request: URLRequest, kind: TaskKind, stream: StreamedResponse?,
        handler: @escaping OutcomeHandler
    ) {
        let configuration = session.configuration
        let request = request.withWholeSeconds(sessionTimeout: configuration.timeoutIntervalForRequest)
        self.session = session
        self.configuration = configuration
        self.request = request
        self.stream = stream
        loader = configuration.loader(of: request)
        let sessionDelegate = session.delegate as? any URLSessionTaskDelegate ?? DelegateWithoutDecisions.shared
        cookieStorage = loader == .http ? configuration.storageOfReceivedCookies : nil
        resourceTimeout = ResourceTimeout.make(for: configuration)
        state = Mutex(ExchangeState(handler: handler, kind: kind, delegate: sessionDelegate))
        super.init()
        (anchor, anchorMayRun) = session.anchor(for: request, of: kind) { self.cancel() }
    }

    // MARK: The caller's task

    /// Lets a delegate decide before the session's.
    func askFirst(_ delegate: (any URLSessionTaskDelegate)?) {
        state.withLock { state in
            state.callersDelegate = delegate
            let sessionDelegate = session.delegate as? any URLSessionTaskDelegate ?? DelegateWithoutDecisions.shared
            state.delegate = delegate.map { RequestDelegate($0, before: sessionDelegate) } ?? sessionDelegate
        }
    }

    var callersDelegate: (any URLSessionTaskDelegate)? {
        state.withLock { $0.callersDelegate } ?? session.delegate as? any URLSessionTaskDelegate
    }

    /// What the caller's task shows.
    var shown: ShownTask {
        var (shown, hop) = state.withLock { ($0.shown, $0.hop) }
        if let hop { shown.read(hop) }
        if shown.request == nil { shown.request = request }
        return shown
    }

    func show(_ progress: Progress, of task: URLSessionTask) -> Progress {
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        state.withLock { $0.shownProgress = progress }
        updateProgress()
        return progress
    }

    func updateProgress() {
        guard let progress = state.withLock({ $0.shownProgress }) else { return }
        let shown = shown
        let isOver = shown.state == .completed
        let total = max(shown.toSend, 0) + max(shown.toReceive, 0)
        progress.totalUnitCount = isOver ? max(shown.sent + shown.received, 1) : total > 0 ? total : -1
        progress.completedUnitCount = isOver ? progress.totalUnitCount : shown.sent + shown.received
    }

    /// Sends the request, or lets its end come out.
    ///
    /// - Parameters:
    ///   - task: The caller's task.
    ///   - meter: The meter of the progress, if the caller asked for reports.
    func resume(_ task: URLSessionTask, reportingTo meter: ProgressMeter?) {
        let (kind, outcome) = state.withLock { $0.resume(task, reportingTo: meter) }
        if let kind {
            resourceTimeout?.start(for: self)
            if anchorMayRun { anchor.resume() }
            send(request, with: kind)
        } else if let outcome {
            end(soonWith: outcome)
        }
    }

    /// What has begun goes on, and its end comes out when the task is resumed.
    func suspend() { state.withLock { $0.suspend() } }

    /// Cancels the request, whichever task sends it.
    func cancel() {
        guard let url = state.withLock({ $0.cancel(request.url) }) else { return }
        end(soonWith: .failure(.cancelled, at: url))
    }

    // MARK: The end

    /// Ends the request: drops its tasks, and calls its handler unless it was called before. Removes the temporary file of
    /// a download, unless the handler moved it.
    func end(with outcome: TaskOutcome) {
        let shown = shown
        guard let remains = state.withLock({ $0.end(with: outcome, shown: shown) }) else { return }
        if let handler = remains.handler {
            resourceTimeout?.stop()
            storeCookies(of: outcome.response)
            updateProgress()
            soon { [anchor] in
                if let hop = remains.hop?.task, hop.state != .completed { hop.cancel() }
                anchor?.cancel()
            }
            handler(outcome)
        }
        if let file = outcome.file ?? remains.hop?.file { try? FileManager.default.removeItem(at: file) }
    }

    /// Ends the request on the queue for handlers.
    func end(soonWith outcome: TaskOutcome) {
        // A stream has no handler of the caller. A cancellation holds a lock of its Swift task, which its reader needs.
        if stream != nil {
            soon { self.end(with: outcome) }
        } else {
            session.delegateQueue.addOperation { self.end(with: outcome) }
        }
    }

    /// Ends the request as a task of it ended, or ahead of the task, on the queue for handlers.
    func end(_ task: URLSessionTask, with outcome: TaskOutcome) {
        // A stream has no handler of the caller.
        guard stream == nil else { return end(with: outcome) }
        session.delegateQueue.addOperation { self.end(with: outcome) }
    }

    /// Stores the cookies of a response, unless that was done: the caller may have removed them meanwhile.
    func storeCookies(of response: URLResponse?) {
        guard let cookieStorage, request.httpShouldHandleCookies, let head = response as? HTTPURLResponse,
            let field = head.value(forHTTPHeaderField: "Set-Cookie"), let url = head.url,
            let start = state.withLock({ $0.storeCookies() })
        else { return }
        ResponseCookies(storage: cookieStorage, url: url, field: field, start: start).store()
    }
}

extension URLSessionConfiguration {
    fileprivate var storageOfReceivedCookies: HTTPCookieStorage? {
        httpCookieAcceptPolicy == .never ? nil : httpCookieStorage
    }
}

/// A delegate that leaves every decision to the default, for a session without one.
private final class DelegateWithoutDecisions: NSObject, URLSessionTaskDelegate, Sendable {
    static let shared = DelegateWithoutDecisions()
}

// Workaround: `URLSession` crashes if a redirected task is cancelled, or times out, while its delegate answers
//   (`_HTTPURLProtocol.didCompleteRedirectCallback(_:)`)
// Instead: the library sends the next request with a new task, and gives `URLSession` no answer
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.cancelledRedirect, which crashes in half of the runs from 6.4 on
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` crashes if a task is cancelled while a challenge is answered with a credential
//   (`_NativeProtocol.stopLoading()`)
// Instead: the library sends the next request with a new task, and gives `URLSession` no answer
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: LateCancellationTests.cancellation crashed without it on 6.3.1; later, its sources
// Upstream: not reported
// May go: nothing alone, because a challenge and a redirect take the same way
//
// Workaround: `URLSession` crashes if a request is redirected over HTTP/2 while another one uses the connection
// Instead: the library sends the next request with a new task
// Kind: crash
// Needed by: Swift 6.2 to 6.3.3
// Shown by: its sources
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5445
// May go: nothing alone, because every redirect takes the same way
//
// Workaround: `URLSession` leaves the temporary file of a download behind
// Instead: the library removes it when the handler returns
// Kind: leak
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.fileOfDownload
// Upstream: not reported
// May go: the last line of `end(with:)`

#endif
