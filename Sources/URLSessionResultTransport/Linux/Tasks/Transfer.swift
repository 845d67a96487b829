#if canImport(FoundationNetworking)

import Foundation

/// A request of the caller from its start to its end, whatever number of requests that takes.
///
/// ## How a request runs
///
/// ```
///     caller's task ──▶ Transfer ── send ──▶ Transaction ──▶ a task of an InnerSession, or a URLProtocol of the caller
///      (CallersTask)     │    ▲                   │
///                        │    ├── askWhatFollows ◀┤  a challenge, a redirect, a lost connection
///                        │    └── end ◀───────────┘  it is whole, or has failed
///                        ▼
///      ListedTask, in the      TaskLifecycle        Redirect, Challenge ──▶ the next PreparedRequest,
///      caller's session        (what follows)       (what is asked)         or an error
/// ```
///
/// 1. The caller's task is the library's own. `resume()` asks its lifecycle what follows: the first request is sent.
/// 2. Each request is sent by a transaction, the first one and those after a redirect or a challenge. A transaction has a task of
///    an inner session, which neither follows redirects nor has cookies or credentials, or it loads a `URLProtocol` of the
///    caller. It keeps what arrives: bytes in memory, or the file of a download. A stream gets its bytes at once. A transaction that
///    is over tells nothing more, so nobody has to ask which one is the latest.
/// 3. A response that redirects or challenges is a policy's: `Redirect` or `Challenge` says what the delegate is asked, and makes
///    the next request of its answer. FoundationNetworking gets no answer. It crashes when an answer meets a timeout, a
///    cancellation or another response of the same connection, and nothing shows these from outside.
/// 4. The first end counts: that of the last transaction, a cancellation, a timeout. The transaction is stopped there and then.
///    The handler is called on the delegate queue, once the caller's task is not suspended, and before the session says that it
///    is invalid.
///
/// **Nothing here waits.** FoundationNetworking runs the tasks of all sessions on one queue, its work queue, and many
/// methods of a task wait for that queue, for example `cancel()` and `resume()`. So what runs on the work queue never waits
/// for another queue, for a reader, or for a lock that is held over a call. The lock of a transfer is held over no call.
final class Transfer: Sendable {
    /// The session of the caller.
    let session: URLSession
    let configuration: URLSessionConfiguration

    /// The request of the caller.
    let request: URLRequest
    let kind: TaskKind

    /// Why no request is sent, if that is known from the start. Nobody else is asked then.
    private let reason: (any Error)?

    /// Who takes the response while it arrives. Nil for a response that a handler gets when it is whole.
    let receiver: (any ResponseReceiver)?
    let cookies: Cookies
    let delegates: TaskDelegates
    let redirectedFields = RedirectedFields.current

    /// Guards which event counts: the caller, the work queue, the delegate queue, timers and a `URLProtocol` come at any time. The
    /// lifecycle calls nothing, so that no other lock is taken meanwhile.
    let state: Locked<TaskLifecycle>
    let dependencies: TransferDependencies

    /// Nil for a task that is no download.
    private let resumeDataProducer: ResumeDataProducer?
    let progress = TaskProgress()
    private let resourceTimeout: ResourceTimeout?

    /// Nil until `init` has made it, if it does. The lock is for a session that is invalidated meanwhile:
    ///
    /// 1. A thread of the caller makes the listed task, which is in the session from now on.
    /// 2. The work queue cancels the tasks of the session. The listed task tells this transfer, which ends, and sees no listed task.
    /// 3. `init` notes the listed task. Its end is known already, so that nobody misses it.
    private let madeListedTask = Locked<ListedTask?>(nil)
    var listedTask: ListedTask? { madeListedTask.withLock { $0 } }

    init(
        session: URLSession, request: URLRequest, kind: TaskKind, failingWith reason: (any Error)? = nil,
        receiver: (any ResponseReceiver)? = nil, dependencies: TransferDependencies = TransferDependencies(),
        handler: @escaping OutcomeHandler
    ) {
        let configuration = session.configuration
        self.session = session
        self.configuration = configuration
        self.request = request
        self.kind = kind
        self.reason = reason
        self.receiver = receiver
        self.dependencies = dependencies
        resumeDataProducer = kind.isDownload ? ResumeDataProducer(of: request, resumedWith: kind.resumeData) : nil
        cookies = Cookies(of: configuration, for: request)
        delegates = TaskDelegates(for: session)
        state = Locked(TaskLifecycle(handler: handler))
        resourceTimeout = ResourceTimeout.make(for: configuration)
        guard dependencies.isListed else { return }
        let listedTask = ListedTask(
            in: session, for: request, configuration: configuration, kind: kind,
            handler: { self.listedTaskIs($0) })
        madeListedTask.withLock { $0 = listedTask }
    }

    // MARK: What the caller's task does

    /// Sends the request, or lets its end come out.
    ///
    /// - Parameters:
    ///   - task: The caller's task.
    ///   - counter: What counts the bytes, if the caller asked for reports.
    func resume(_ task: URLSessionTask, countingWith counter: ByteCounter? = nil) {
        switch state.withLock({ $0.resume(task, countingWith: counter) }) {
        case .nothing:
            break
        case .sendFirstRequest:
            if let reason { return end(with: TaskOutcome(error: reason)) }
            resourceTimeout?.start(for: self)
            sendFirstRequest(for: task)
        case .deliver:
            deliverSoon()
        }
    }

    /// Nobody waits for the writer of a pipe: not the caller, and not one of the few threads of Swift tasks.
    private func sendFirstRequest(for task: URLSessionTask) {
        let prepared = PreparedRequest(kind.resumeData?.request ?? request, kind)
        if kind.pipe != nil {
            Thread.detachNewThread { self.send(prepared, for: task) }
        } else {
            send(prepared, for: task)
        }
    }

    // Workaround: suspendedTask
    /// What has begun goes on, and its end comes out when the task is resumed.
    func suspend() { state.withLock { $0.suspend() } }

    func cancel() { finish(state.withLock(cancelling)) }

    /// What the session, or somebody who has found the listed task there, does with it is done with the caller's task.
    private func listedTaskIs(_ event: ListedTask.Event) {
        switch event {
        case .suspended:
            suspend()
        case .resumed:
            if let task = state.withLock({ $0.callersTask }) { resume(task) }
        case .cancelled(let isOnDelegateQueue):
            finish(state.withLock(cancelling), isOnDelegateQueue: isOnDelegateQueue)
        }
    }

    /// Cancels a download, and keeps what has arrived if the rest can be asked for.
    ///
    /// - Parameter handler: A function that takes the resume data, or nil if there is none.
    func cancel(producingResumeData handler: @escaping (Data?) -> Void) {
        guard let resumeDataProducer, resumeDataProducer.produceResumeData(for: handler) else { return handler(nil) }
        guard let ending = state.withLock(cancelling) else { return resumeDataProducer.giveResumeData(nil) }
        finish(ending)
    }

    private func cancelling(_ state: inout TaskLifecycle) -> TaskLifecycle.Ending? {
        state.cancel(with: TaskOutcome(error: URLError(.cancelled, at: state.transaction?.request.url ?? request.url)))
    }

    var taskIdentifier: Int { listedTask?.taskIdentifier ?? 0 }
    var taskState: URLSessionTask.State { state.withLock { $0.state } }
    var taskDelegate: (any URLSessionTaskDelegate)? {
        get { delegates.taskDelegate }
        set { delegates.taskDelegate = newValue }
    }

    /// What the caller's task shows.
    var shown: ShownTask {
        let (finallyShown, transaction) = state.withLock { ($0.finallyShown, $0.transaction) }
        return finallyShown ?? transaction?.shown ?? ShownTask(request: request)
    }

    /// The progress of the caller's task, which is kept up to date from now on.
    func updating(_ progress: Progress) -> Progress {
        self.progress.keep(progress) { [weak self] in self?.cancel() }
        self.progress.update(from: self)
        return progress
    }

    // MARK: The end

    /// Ends the request. The first end counts.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - isLoaded: Whether a load has ended. If the listed task runs, FoundationNetworking loads the request, and this is the work
    ///     queue.
    func end(with outcome: TaskOutcome, isLoaded: Bool = false) {
        guard let ending = state.withLock({ $0.end(with: outcome) }) else { return }
        if isLoaded, receiver == nil, !ending.isHeldBack { listedTask?.endAtOnce() }
        finish(ending)
    }

    /// Stops what is loaded, on any queue, and lets the end come out.
    private func finish(_ ending: TaskLifecycle.Ending?, isOnDelegateQueue: Bool = false) {
        guard let ending else { return }
        resourceTimeout?.stop()
        kind.pipe?.stop()
        ending.transaction?.stop()
        if isOnDelegateQueue { deliver() } else { deliverSoon() }
    }

    /// A handler is called on the delegate queue. A stream has no handler of the caller, and ends at once.
    private func deliverSoon() {
        if receiver != nil {
            deliver()
        } else {
            session.delegateQueue.addWork { self.deliver() }
        }
    }

    private func deliver() {
        let shown = shown
        guard let end = state.withLock({ $0.deliver(showing: shown) }) else { return }
        // The end of a stream may be on the work queue.
        if receiver == nil { cookies.waitUntilStored() }
        if let used = end.transaction?.prepared.usedCredential { store(used, after: end.outcome) }
        if let counter = end.counter { countWithheldBytes(of: end, by: counter) }
        progress.update(from: self)
        listedTask?.end()
        let resumeData = resumeDataProducer?.resumeData(after: end.outcome, of: end.transaction)
        resumeDataProducer?.giveResumeData(resumeData)
        // The handler may exit the program. It gets the file of a success alone.
        if kind.isDownload, end.outcome.file == nil { end.transaction?.removeFile() }
        // A response that leads to no other request, or whose head is the last that comes.
        if receiver != nil, let head = end.outcome.response { end.transaction?.give(head) }
        end.handler(end.outcome.adding(resumeData))
        if kind.isDownload { end.transaction?.removeFile() }
        // A delegate may invalidate its session when it is released, which waits for the work queue.
        awayFromWorkQueue { [delegates] in delegates.letGo() }
    }

    /// Counts bytes, and reports them if the caller asked for it.
    ///
    /// A body that is sent again, after a redirect or a challenge, counts from zero. The reports never shrink: they go on
    /// where the first attempt has got to.
    func count(_ count: Int64, of total: @autoclosure () -> Int64, ofRequest isRequest: Bool) {
        progress.update(from: self)
        guard kind.isUpload == isRequest, let report = state.withLock({ $0.counter })?(count, total()) else { return }
        session.delegateQueue.addOperation(report)
    }

    /// Counts the body of a response that might have led to another request, and did not. The bytes of a stream are not counted, so
    /// this is the delegate queue.
    private func countWithheldBytes(of end: TaskLifecycle.Delivery, by counter: ByteCounter) {
        guard receiver == nil, !kind.isUpload, let transaction = end.transaction, end.outcome.error == nil,
            transaction.isWithheld
        else { return }
        let shown = transaction.shown
        counter(shown.received, shown.expectedToReceive)?()
    }

    private func store(_ used: UsedCredential, after outcome: TaskOutcome) {
        guard outcome.error == nil else { return }
        awayFromWorkQueue { [configuration] in
            used.store(in: configuration.urlCredentialStorage, after: outcome.response)
        }
    }

    /// Calls a function at once if this is the delegate queue. The end of a stream may be on the work queue.
    private func awayFromWorkQueue(_ work: @escaping @Sendable () -> Void) {
        if receiver == nil { work() } else { dependencies.callSoon(work) }
    }
}

#endif
