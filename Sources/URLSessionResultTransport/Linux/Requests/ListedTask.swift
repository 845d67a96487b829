#if canImport(FoundationNetworking)

import Foundation

/// A task of the caller's session that loads nothing.
///
/// It ties a transfer to the session, which shows the listed task among its tasks, waits for it when it finishes its tasks, and
/// cancels it when it is invalidated. What it calls then keeps the transfer: a task that the caller drops without resuming it
/// still ends with its session.
final class ListedTask: Sendable {
    typealias Stop = @Sendable (_ isOnDelegateQueue: Bool) -> Void

    private let task: URLSessionTask

    /// Whether the task may be resumed: not in a session with a `URLProtocol` of the caller, who would be asked about it. A
    /// session lists only tasks that were resumed.
    private let mayRun: Bool
    private let isOver = Locked(false)

    /// What is called when the session stops the task. Nil once it is called, or the task has left the session.
    private let whenStopped: Locked<Stop?>

    /// - Parameters:
    ///   - session: The session of the caller.
    ///   - request: The request of the caller.
    ///   - configuration: The configuration of the session.
    ///   - kind: The kind of the caller's task, as the session lists it.
    ///   - whenStopped: A function that is called once if the session cancels its tasks: on the work queue if the task may run,
    ///     otherwise on the delegate queue, as the handler of the task.
    init(
        in session: URLSession, for request: URLRequest, configuration: URLSessionConfiguration, kind: TaskKind,
        whenStopped: @escaping Stop
    ) {
        let whenStopped = Locked<Stop?>(whenStopped)
        self.whenStopped = whenStopped
        let stop: Stop = { whenStopped.withLock { $0.take() }?($0) }
        if let listedTask = request.listedTask, !configuration.hasCallersProtocols {
            mayRun = true
            task =
                session.delegate == nil
                ? session.makeTask(for: listedTask, ofKind: kind)
                : session.makeTask(
                    // Others look for a cached response, on a queue that may be busy. A cancellation waits for that, and the
                    // session tells its delegate meanwhile that it is invalid.
                    for: listedTask, ofKind: configuration.urlCache == nil ? kind : .download, handler: stop)
            ListedTaskProtocol.whenStopped.withLock { $0[ObjectIdentifier(task)] = stop }
        } else {
            mayRun = false
            // A download, because it looks for no cached response.
            task = session.makeTask(for: .forNothing, ofKind: .download, handler: stop)
        }
    }

    var taskIdentifier: Int { task.taskIdentifier }

    /// Resumes the task, unless it is over. This waits for the work queue, where nothing takes this lock.
    func resume() {
        isOver.withLock { isOver in
            if mayRun, !isOver { task.resume() }
        }
    }

    func end() {
        ListedTaskProtocol.forget(task)
        guard whenStopped.withLock({ $0 != nil }) else { return }
        soon { [self] in
            isOver.withLock { $0 = true }
            // The session knows the task by then.
            task.waitForWorkQueue()
            onWorkQueue { self.leave() }
        }
    }

    /// Ends the task at once if it runs. This is the work queue then, and `resume()` has returned.
    func endAtOnce() {
        if mayRun { leave() }
    }

    /// Takes the task from the session as its load would do, on the work queue. To cancel it would take longer, and make and stop
    /// a `URLProtocol` of the caller.
    private func leave() {
        guard whenStopped.withLock({ $0.take() }) != nil else { return }
        ListedTaskProtocol.forget(task)
        // Unless the session has cancelled it.
        guard task.state == .running || task.state == .suspended else { return }
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
        for request: URLRequest, ofKind kind: TaskKind, handler: @escaping ListedTask.Stop
    ) -> URLSessionTask {
        switch kind {
        case .data: dataTask(with: request) { _, _, _ in handler(true) }
        case .download, .resumedDownload: downloadTask(with: request) { _, _, _ in handler(true) }
        case .upload, .fileUpload, .pipeUpload:
            uploadTask(with: request, from: Data()) { _, _, _ in handler(true) }
        }
    }
}

extension URLRequest {
    /// The request of a listed task for this one, or nil for a request that a `URLProtocol` of the caller may load.
    fileprivate var listedTask: URLRequest? {
        guard ListedTaskProtocol.isAskedFirst, let url, url.isForHTTP else { return nil }
        return URL(string: "\(ListedTaskProtocol.scheme):\(url.absoluteString)").map { URLRequest(url: $0) }
    }
}

/// Loads nothing, until it is stopped.
final class ListedTaskProtocol: URLProtocol {
    fileprivate static let scheme = "data+listed"
    private static let wasAsked = Locked(false)

    /// Whether FoundationNetworking lets this class load listed tasks. It asks the classes that are registered for all sessions
    /// in their order, and one of the caller, that was registered before, may take every request: a mock, for example.
    fileprivate static let isAskedFirst: Bool = {
        guard registerClass(ListedTaskProtocol.self), let url = URL(string: "\(scheme):") else { return false }
        let session = URLSession(configuration: .ephemeral)
        let task = session.downloadTask(with: url)
        // The classes are asked, and none is started.
        task.cancel()
        // They were asked by then.
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
    override func startLoading() {}

    /// The task is cancelled. Its handler waits for the delegate queue, which may be busy.
    override func stopLoading() {
        guard let task else { return }
        Self.forget(task)?(false)
    }

    /// What to call when a task is stopped.
    fileprivate static let whenStopped = Locked([ObjectIdentifier: ListedTask.Stop]())

    @discardableResult
    fileprivate static func forget(_ task: URLSessionTask) -> ListedTask.Stop? {
        whenStopped.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    }
}

#endif
