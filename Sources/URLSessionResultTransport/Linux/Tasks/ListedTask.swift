#if canImport(FoundationNetworking)

import Foundation

/// A task of the caller's session that loads nothing.
///
/// It stands for a transfer in the session: the session lists it among its tasks, waits for it when it finishes its tasks, and
/// cancels it when it is invalidated. Code that finds it there may suspend, resume or cancel it. It passes that on to the transfer
/// through its handler, which keeps the transfer. So a task that the caller drops without resuming it still ends with its session.
///
/// ```
/// state    what happens                     what it calls                       state after
/// made     resume(), if it may run          nothing                             running
/// made     the session cancels it           .cancelled, on the delegate queue   over
/// running  a finder suspends or resumes it  .suspended, .resumed                running
/// running  it is cancelled, by whomever     .cancelled, on the work queue       over
/// any      end(), endAfterLoad()            nothing: it leaves the session      over
/// ```
final class ListedTask: Sendable {
    /// What the session, or somebody who has found the task there, does with it.
    enum Event {
        case suspended
        case resumed

        /// Comes once at most, and last: on the work queue if the task may run, otherwise on the delegate queue, as the handler
        /// of the task.
        case cancelled(isOnDelegateQueue: Bool)
    }

    typealias Handler = @Sendable (Event) -> Void

    private let task: URLSessionTask

    /// Whether the task may be resumed. In a session with a `URLProtocol` of the caller it may not, because that would be asked
    /// about it. A session lists only tasks that were resumed.
    private let mayRun: Bool

    /// Guards that a task is not resumed after it has left its session. It is the one lock that is held while a thread waits for the
    /// work queue, so nothing on that queue takes it: `leave()` does without.
    ///
    /// 1. A thread begins the first request, and is about to resume the task.
    /// 2. The caller cancels. `end()` sets this flag, on another queue, and the work queue takes the task from its session.
    /// 3. The thread comes to `resume()`, finds the flag, and leaves the task alone.
    private let isOver = Locked(false)

    /// Nil once the task is cancelled, or has left the session. The lock decides which of the two counts: the session cancels the task
    /// on the work queue or the delegate queue, while the transfer ends it on another one.
    private let handler: Locked<Handler?>

    /// - Parameters:
    ///   - session: The session of the caller.
    ///   - request: The request of the caller.
    ///   - configuration: The configuration of the session.
    ///   - kind: The kind of the caller's task, as the session lists it.
    ///   - handler: A function that takes what happens to the task.
    init(
        in session: URLSession, for request: URLRequest, configuration: URLSessionConfiguration, kind: TaskKind,
        handler: @escaping Handler
    ) {
        let handler = Locked<Handler?>(handler)
        self.handler = handler
        let tell: Handler = { event in
            let handler = handler.withLock { handler in
                if case .cancelled = event { return handler.take() }
                return handler
            }
            handler?(event)
        }
        if let listedRequest = request.requestOfListedTask, !configuration.hasCallersProtocols {
            mayRun = true
            task =
                session.delegate == nil
                ? session.makeTask(for: listedRequest, ofKind: kind)
                : session.makeTask(
                    // With a cache, a data or upload task looks for a stored response, on a queue that may be busy. Its cancellation
                    // waits for that, and the session tells its delegate meanwhile that it is invalid. A download does not look.
                    for: listedRequest, ofKind: configuration.urlCache == nil ? kind : .download, handler: tell)
            ListedTaskProtocol.observe(task, with: tell)
        } else {
            mayRun = false
            // A download, because it looks for no cached response.
            task = session.makeTask(for: .forNothing, ofKind: .download, handler: tell)
        }
    }

    var taskIdentifier: Int { task.taskIdentifier }

    /// Shows the description of the caller's task.
    func show(description: String?) { task.taskDescription = description }

    /// Resumes the task, unless it is over. This waits for the work queue, where nothing takes this lock.
    func resume() {
        isOver.withLock { isOver in
            if mayRun, !isOver { task.resume() }
        }
    }

    /// Whether `end()` or `endAfterLoad()` takes the task out of its session. `isOver` says only that nobody resumes it any more.
    private let isLeaving = Locked(false)

    /// Ends the task, whatever has ended the transfer. The task may never have been resumed, or another thread may be about to
    /// resume it.
    func end() {
        ListedTaskProtocol.stopObserving(task)
        guard handler.withLock({ $0 != nil }), isLeaving.setOnce() else { return }
        onGlobalQueue { [self] in
            isOver.withLock { $0 = true }
            // After this wait, the session knows the task.
            task.waitForWorkQueue()
            onWorkQueue { self.leave() }
        }
    }

    /// Ends the task at once, after a load that has ended by itself. The session knows the task: `resume()` has returned before the load
    /// was started. `end()` comes later, and finds nothing to do.
    func endAfterLoad() {
        guard mayRun, isLeaving.setOnce() else { return }
        onWorkQueue { self.leave() }
    }

    /// Takes the task from the session as its load would do, on the work queue. To cancel it would take longer, and make and stop
    /// a `URLProtocol` of the caller.
    private func leave() {
        // The handler keeps the transfer, so it is kept until this is done.
        guard let handler = handler.withLock({ $0.take() }) else { return }
        defer { withExtendedLifetime(handler) {} }
        ListedTaskProtocol.stopObserving(task)
        // Unless the session has cancelled it.
        guard task.state == .running || task.state == .suspended else { return }
        // FoundationNetworking gives it a client of its own.
        let load = ListedTaskProtocol(task: task, cachedResponse: nil, client: nil)
        load.client?.urlProtocolDidFinishLoading(load)
    }
}

extension URLSession {
    /// Makes a task without a handler, whose end adds no operation to the delegate queue of a session without a delegate.
    fileprivate func makeTask(for request: URLRequest, ofKind kind: TaskKind) -> URLSessionTask {
        switch kind {
        case .data: dataTask(with: request)
        case .download, .resumedDownload: downloadTask(with: request)
        case .upload, .fileUpload, .pipeUpload: uploadTask(with: request, from: Data())
        }
    }

    fileprivate func makeTask(
        for request: URLRequest, ofKind kind: TaskKind, handler: @escaping ListedTask.Handler
    ) -> URLSessionTask {
        switch kind {
        case .data: dataTask(with: request) { _, _, _ in handler(.cancelled(isOnDelegateQueue: true)) }
        case .download, .resumedDownload:
            downloadTask(with: request) { _, _, _ in handler(.cancelled(isOnDelegateQueue: true)) }
        case .upload, .fileUpload, .pipeUpload:
            uploadTask(with: request, from: Data()) { _, _, _ in handler(.cancelled(isOnDelegateQueue: true)) }
        }
    }
}

extension URLRequest {
    /// The request of a listed task for this one, or nil for a request that a `URLProtocol` of the caller may load.
    fileprivate var requestOfListedTask: URLRequest? {
        guard ListedTaskProtocol.isAskedFirst, let url, url.isForHTTP else { return nil }
        guard let listedURL = URL(string: "\(ListedTaskProtocol.scheme):\(url.absoluteString)") else { return nil }
        // A new request: to copy this one takes longer, and the session would copy its body, too.
        var listed = URLRequest(url: listedURL)
        if let httpMethod, httpMethod != "GET" { listed.httpMethod = httpMethod }
        if let fields = allHTTPHeaderFields, !fields.isEmpty { listed.allHTTPHeaderFields = fields }
        return listed
    }
}

/// Loads nothing, until it is stopped.
final class ListedTaskProtocol: URLProtocol {
    fileprivate static let scheme = "data+listed"

    /// Guards a flag that FoundationNetworking sets on the work queue.
    private static let wasAsked = Locked(false)

    /// Whether FoundationNetworking lets this class load listed tasks. It asks the classes that are registered for all sessions
    /// in their order, and one of the caller, that was registered before, may take every request: a mock, for example.
    fileprivate static let isAskedFirst: Bool = {
        guard registerClass(ListedTaskProtocol.self), let url = URL(string: "\(scheme):") else { return false }
        let session = URLSession(configuration: .ephemeral)
        let task = session.downloadTask(with: url)
        // FoundationNetworking asks the classes, and starts none of them, because the task is cancelled.
        task.cancel()
        // After this wait, the classes were asked.
        task.waitForWorkQueue()
        session.finishTasksAndInvalidate()
        return wasAsked.withLock { $0 }
    }()

    override class func canInit(with request: URLRequest) -> Bool {
        guard request.url?.scheme == scheme else { return false }
        wasAsked.withLock { $0 = true }
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// The task is resumed: by the library, for the first time, or by somebody who has found it.
    override func startLoading() {
        guard let task, let handler = Self.handlerOfResumption(of: task) else { return }
        handler(.resumed)
    }

    /// The task is suspended or cancelled. A cancellation is told here, because the completion handler of the task has to wait for
    /// the delegate queue.
    override func stopLoading() {
        guard let task else { return }
        if task.state == .canceling {
            Self.stopObserving(task)?(.cancelled(isOnDelegateQueue: false))
        } else {
            Self.listeners.withLock { $0[ObjectIdentifier(task)]?.handler }?(.suspended)
        }
    }

    /// Who is told what happens to a task.
    private struct Listener {
        let handler: ListedTask.Handler
        var hasStarted = false
    }

    /// By the identities of their tasks. The lock is for tasks of all sessions, which are made and ended on any thread. Nobody is
    /// told anything under it.
    private static let listeners = Locked([ObjectIdentifier: Listener]())

    /// Tells a function what happens to a task, until `stopObserving(_:)`.
    fileprivate static func observe(_ task: URLSessionTask, with handler: @escaping ListedTask.Handler) {
        _ = listeners.withLock { $0.updateValue(Listener(handler: handler), forKey: ObjectIdentifier(task)) }
    }

    /// - Returns: The function to call, or nil if this is the first resumption, or nobody listens.
    private static func handlerOfResumption(of task: URLSessionTask) -> ListedTask.Handler? {
        listeners.withLock { listeners in
            guard let listener = listeners[ObjectIdentifier(task)] else { return nil }
            listeners[ObjectIdentifier(task)]?.hasStarted = true
            return listener.hasStarted ? listener.handler : nil
        }
    }

    @discardableResult
    fileprivate static func stopObserving(_ task: URLSessionTask) -> ListedTask.Handler? {
        listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }?.handler
    }
}

#endif
