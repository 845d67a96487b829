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

    /// Whether the handler expects a file.
    private let isDownload: Bool

    /// Whether FoundationNetworking makes that file for the caller's task.
    let makesFile: Bool

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

    /// The caller's task, which keeps the exchange as its delegate.
    ///
    /// Unsafe only to the compiler: it is set before the task is resumed, and used in the completion handler of the task,
    /// while FoundationNetworking keeps the task.
    nonisolated(unsafe) private unowned(unsafe) var callersTask: URLSessionTask?

    @inline(never)  // 3 kB less: each kind of task makes one.
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
        isDownload = kind.isDownload
        loader = configuration.loader(of: request)
        let sessionDelegate = session.delegate as? any URLSessionTaskDelegate ?? DelegateWithoutDecisions.shared
        cookieStorage = loader == .http ? configuration.storageOfReceivedCookies : nil
        resourceTimeout = ResourceTimeout.make(for: configuration)
        let kind = loader == .http ? kind : kind.loading(request, in: configuration)
        makesFile = kind.isDownload
        state = Mutex(ExchangeState(handler: handler, kind: kind, delegate: sessionDelegate))
    }

    // MARK: The beginning

    /// Takes over the caller's task, which was made and is not resumed.
    func begin(with task: URLSessionTask) {
        callersTask = (task as? LoadedDownloadTask<Never>)?.dataTask ?? task
        if let cookieField = task.originalRequest?.value(forHTTPHeaderField: "Cookie"),
            cookieField != request.value(forHTTPHeaderField: "Cookie")
        {
            state.withLock { $0.storedCookieField = cookieField }
        }
        task.delegate = self
        resourceTimeout?.start(for: task, of: self)
        if cookieStorage != nil { ArrivingCookies.expect(from: self) }
    }

    deinit {
        // A task that was never resumed does not end.
        expectNoCookies()
    }

    /// The stored cookies for the request, unless its task sends exactly these.
    func cookiesToSendInstead() -> [HTTPCookie]? {
        guard let cookieField = state.withLock({ $0.storedCookieField }) else { return nil }
        let cookiesOfHost = configuration.storedCookies(ofHostOf: request)
        noteStoredCookies(cookiesOfHost)
        let cookies = cookiesOfHost.sent(with: request)
        return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"] == cookieField ? nil : cookies
    }

    /// Takes over a task that was made in place of another one, and what the exchange of that one knows.
    func begin(with task: URLSessionTask, insteadOf discarded: Exchange) {
        begin(with: task)
        noteStoredCookies(discarded.state.withLock { $0.cookiesAtStart })
    }

    /// Notes what the storage held for the host when the caller's task was made.
    private func noteStoredCookies(_ stored: [HTTPCookie]) {
        state.withLock { $0.cookiesAtStart = stored }
        if cookieStorage != nil { ArrivingCookies.note(stored, for: self) }
    }

    /// Notes that the library sends a request, with a task of which FoundationNetworking stores no cookies.
    func noteHop() {
        expectNoCookies()
        state.withLock { $0.expectNewCookies() }
    }

    private func expectNoCookies() {
        if cookieStorage != nil { ArrivingCookies.end(from: self) }
    }

    /// Forgets the handler and cancels the caller's task, because another task is made in its place.
    ///
    /// - Parameters:
    ///   - task: The caller's task.
    ///   - cookies: The cookies that the other task sends.
    ///   - refusal: Whether it refuses other cookies: true while it is made.
    /// - Returns: The request of the other task.
    func discard(_ task: URLSessionTask, toSend cookies: [HTTPCookie], while refusal: Locked<Bool>) -> URLRequest {
        state.withLock { $0.handler = nil }
        expectNoCookies()
        task.cancel()
        return request.withFixedCookies(cookies, while: refusal)
    }

    /// Lets a delegate decide before the session's.
    func askFirst(_ delegate: any URLSessionTaskDelegate) {
        state.withLock { $0.delegate = RequestDelegate(delegate, before: $0.delegate) }
    }

    /// Resumes the caller's task, or sends its request with another one where it matters what arrives piece by piece. It does
    /// if a `URLProtocol` of the caller loads the request: a task with a handler keeps the last piece alone.
    ///
    /// - Parameters:
    ///   - task: The caller's task.
    ///   - meter: The meter of the progress, if the caller asked for reports.
    func resume(_ task: URLSessionTask, reportingTo meter: ProgressMeter?) {
        // A task for a URL that nobody loads has to be resumed: cancelling it before does not end it.
        let hasHop = stream != nil || loader == .other || loader == .http && meter != nil
        guard hasHop else {
            callersTask?.resume()
            return
        }
        let kind = state.withLock { state -> TaskKind? in
            guard state.letWait(task) else { return nil }
            state.report(to: meter)
            return state.kind
        }
        // Without one, the request is under way or over.
        if let kind { send(request, with: kind, after: task) }
    }

    /// Cancels the request, whichever task sends it.
    func cancel(_ task: URLSessionTask) {
        state.withLock { $0.hop }?.task.cancel()
        // It cancels a task that takes the place of the running one at this moment.
        task.cancel()
    }

    // MARK: The end

    /// Ends the request: drops its tasks, and calls its handler unless it was called before. Removes the temporary file of
    /// a download, unless the handler moved it.
    func end(with outcome: TaskOutcome) {
        let remains = state.withLock { $0.end() }
        var outcome = outcome
        if let handler = remains.handler {
            resourceTimeout?.stop()
            storeCookies(of: outcome.response)
            expectNoCookies()
            remains.hop?.task.cancelSoon()
            remains.waitingTask?.cancelSoon()
            if isDownload, !remains.kind.isDownload { outcome = outcome.withFile() }
            handler(outcome)
        }
        if let file = outcome.file ?? remains.hop?.file { try? FileManager.default.removeItem(at: file) }
    }

    /// Ends the request as its caller's task ended. Only the completion handler of that task calls this.
    func callersTaskEnded(with outcome: TaskOutcome) {
        callersTask?.waitForLateCancellation()
        guard outcome.error != nil, let hop = state.withLock({ $0.hop }) else { return end(with: outcome) }
        end(with: outcome.naming(hop.task.originalRequest?.url))
    }

    /// Ends the request as a task of it ended, or ahead of the task, on the queue for handlers.
    func end(_ task: URLSessionTask, with outcome: TaskOutcome) {
        _ = state.withLock { $0.letWait(task) }
        // A stream has no handler of the caller.
        guard stream == nil else { return end(with: outcome) }
        session.delegateQueue.addOperation { self.end(with: outcome) }
    }

    /// Stores the cookies of a response, unless that was done: the caller may have removed them meanwhile.
    ///
    /// - Parameter response: The response, or nil for one that was cut off. FoundationNetworking does not show its head, but
    ///   may have stored its cookies.
    func storeCookies(of response: URLResponse?) {
        guard let cookieStorage else { return }
        let head = response as? HTTPURLResponse
        let field = head?.value(forHTTPHeaderField: "Set-Cookie")
        guard field != nil || response == nil, let url = head?.url ?? request.url,
            let latest = state.withLock({ $0.storeCookies() })
        else { return }
        let received = ResponseCookies(
            storage: cookieStorage, url: url, field: field, start: latest.start, cookiesAtStart: latest.cookies)
        received.store(areWanted: request.httpShouldHandleCookies)
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
