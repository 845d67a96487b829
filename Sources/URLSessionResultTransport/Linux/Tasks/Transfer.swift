#if canImport(FoundationNetworking)

import Foundation

/// A request of the caller from its start to its end, whatever number of requests that takes.
///
/// ## How a request runs
///
/// ```
///     caller's task ──▶ Transfer ── send ──▶ Transaction ──▶ libcurl (CurlLoad), or another Load
///      (CallersTask)     │    ▲                   │
///                        │    ├── askWhatFollows ◀┤  a challenge, a redirect, a lost connection
///                        │    └── end ◀───────────┘  it is whole, or has failed
///                        ▼
///      ListedTask, in the      TaskLifecycle        Redirect, Challenge ──▶ the next PreparedRequest,
///      caller's session        (what follows)       (what is asked)         or an error
/// ```
///
/// 1. The caller's task is the library's own. `resume()` asks its lifecycle what follows: the first request is sent.
/// 2. Each request is sent by a transaction, the first one and those after a redirect or a challenge. A transaction has a load: libcurl
///    sends http, a `URLProtocol` of the caller or a task of the inner session loads the rest. It keeps what arrives: bytes in memory,
///    or the file of a download. A stream gets its bytes at once. A transaction that is over tells nothing more, so nobody has to ask
///    which one is the latest.
/// 3. `Redirect` and `Challenge` are the policies for responses that redirect or challenge. Each says what the delegate is asked,
///    and makes the next request from its answer.
/// 4. The first end counts: that of the last transaction, a cancellation, a timeout. The transaction is stopped there and then.
///    The handler is called on the delegate queue, once the caller's task is not suspended, and before the session says that it
///    is invalid.
///
/// **Nothing here waits.** All requests of all sessions are sent and received on one thread, the event loop. So what runs there never
/// waits for a queue, a reader, a disk, or a lock that is held over a call, and releases nothing of the caller's. The lock of a
/// transfer is held over no call.
final class Transfer: Sendable {
    /// The session of the caller.
    let session: URLSession
    let configuration: URLSessionConfiguration

    /// The request of the caller.
    let request: URLRequest
    let kind: TaskKind

    /// Why no request is sent, if that is known from the start. No `URLProtocol` and no delegate is asked then.
    private let reason: (any Error)?

    /// Whether this process was made by `fork`. No queue runs anything in it, so the handler is called at once.
    private let isForked: Bool

    /// Who takes the response while it arrives. Nil for a response that a handler gets when it is whole.
    let receiver: (any ResponseReceiver)?

    /// Where the metrics of the last transaction go. Nil if nobody asks for them.
    let metrics: CollectedMetrics?
    let cookies: Cookies
    let delegates: TaskDelegates

    /// Which header fields go along with redirects. It is task-local, so it is read in the Swift task that makes the transfer.
    let redirectedFields = RedirectedFields.current

    /// Guards which event counts: the caller, the event loop, the delegate queue, timers and a `URLProtocol` come at any time. The
    /// lifecycle calls nothing, so that no other lock is taken meanwhile.
    let state: Locked<TaskLifecycle>
    let dependencies: TransferDependencies

    /// Nil for a task that is no download.
    private let resumeDataProducer: ResumeDataProducer?
    let progress = TaskProgress()

    /// Nil until `init` has made it, and in a transfer that is not listed. The lock is for a session that is invalidated meanwhile:
    ///
    /// 1. A thread of the caller makes the listed task, which is in the session from now on.
    /// 2. FoundationNetworking cancels the tasks of the session. The listed task tells this transfer, which ends, and sees no listed task.
    /// 3. `init` notes the listed task. It was cancelled already, so nobody has to end it.
    private let madeListedTask = Locked<ListedTask?>(nil)
    var listedTask: ListedTask? { madeListedTask.withLock { $0 } }

    init(
        session: URLSession, request: URLRequest, kind: TaskKind, failingWith reason: (any Error)? = nil,
        receiver: (any ResponseReceiver)? = nil, collecting metrics: CollectedMetrics? = nil,
        dependencies: TransferDependencies = TransferDependencies(), handler: @escaping OutcomeHandler
    ) {
        let configuration = session.configuration
        self.session = session
        self.configuration = configuration
        self.request = request
        self.kind = kind
        let errorAfterFork = EventLoop.errorAfterFork
        isForked = errorAfterFork != nil
        self.reason = reason ?? errorAfterFork
        self.receiver = receiver
        self.metrics = metrics
        self.dependencies = dependencies
        resumeDataProducer = kind.isDownload ? ResumeDataProducer(of: request, resumedWith: kind.resumeData) : nil
        cookies = Cookies(of: configuration, for: request)
        delegates = TaskDelegates(for: session)
        state = Locked(TaskLifecycle(handler: handler))
        guard dependencies.isListed, !isForked else { return }
        let listedTask = ListedTask(
            in: session, for: request, configuration: configuration, kind: kind,
            handler: { self.listedTaskIs($0) })
        madeListedTask.withLock { $0 = listedTask }
    }

    // MARK: What the caller's task does

    /// Sends the first request, or delivers an end that has waited for this.
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
            ResourceTimeouts.ofProcess.start(for: self)
            // If the task was cancelled between these two calls, nobody else forgets its timeout.
            if state.withLock({ $0.hasEnded }) { ResourceTimeouts.ofProcess.stop(for: self) }
            sendFirstRequest(for: task)
        case .deliver:
            deliverSoon()
        }
    }

    private func sendFirstRequest(for task: URLSessionTask) {
        let prepared = PreparedRequest(kind.resumeData?.request ?? request, kind)
        if kind.pipe != nil {
            // Reading the pipe waits for its writer. A thread of its own does that, so that neither the caller waits nor one of the
            // few threads of Swift tasks.
            Thread.detachNewThread { self.send(prepared, for: task) }
        } else {
            send(prepared, for: task)
        }
    }

    // Workaround: suspendedTask
    /// A request that has begun goes on. Its end is delivered when the task is resumed.
    func suspend() { state.withLock { $0.suspend() } }

    func cancel() { finish(state.withLock(cancelling)) }

    /// Holds the server back while its response is far ahead of the reader, or lets it go on.
    func setReceivingPaused(_ isPaused: Bool) {
        state.withLock { $0.transaction }?.setReceivingPaused(isPaused)
    }

    /// The session, or code that has found the listed task there, did something with it. The caller's task does the same.
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

    /// The URL of the latest request.
    var latestURL: URL? { state.withLock { $0.transaction?.request.url } ?? request.url }

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
    ///   - isByLoad: Whether its load has ended by itself, so that the listed task may leave its session at once.
    func end(with outcome: TaskOutcome, byLoad isByLoad: Bool = false) {
        guard let ending = state.withLock({ $0.end(with: outcome) }) else { return }
        // The session waits for its listed tasks, and then says that it is invalid. So the handler comes first.
        finish(ending)
        if isByLoad, !ending.waitsForResume { listedTask?.endAfterLoad() }
    }

    /// Stops the transaction and delivers the end. It may be called on any queue.
    private func finish(_ ending: TaskLifecycle.Ending?, isOnDelegateQueue: Bool = false) {
        guard let ending else { return }
        ResourceTimeouts.ofProcess.stop(for: self)
        kind.pipe?.stop()
        // Does nothing if the transaction has ended by itself.
        ending.transaction?.stop()
        if isOnDelegateQueue { deliver() } else { deliverSoon() }
    }

    /// Delivers the end: on the delegate queue to a handler of the caller, and at once to a stream.
    private func deliverSoon() {
        if receiver != nil || isForked {
            deliver()
        } else {
            session.delegateQueue.addWork { self.deliver() }
        }
    }

    /// Calls the handler, which may exit the program. So everything that it may look at is ready before: cookies, credentials,
    /// progress, metrics and resume data. A file that it does not get is removed before. Whatever holds objects of the caller is
    /// released last.
    private func deliver() {
        let shown = shown
        guard let end = state.withLock({ $0.deliver(showing: shown) }) else { return }
        // The end of a stream may be on the event loop.
        if receiver == nil { cookies.waitUntilStored() }
        for used in end.transaction?.prepared.usedCredentials ?? [] { store(used, after: end.outcome) }
        if let counter = end.counter { countWithheldBytes(of: end, by: counter) }
        progress.update(from: self)
        listedTask?.end()
        if let metrics {
            let collected = end.transaction?.metrics
            metrics.withLock { $0 = collected }
        }
        let resumeData = resumeDataProducer?.resumeData(after: end.outcome, of: end.transaction)
        resumeDataProducer?.giveResumeData(resumeData)
        // The handler gets the file of a success alone.
        if kind.isDownload, end.outcome.file == nil { end.transaction?.removeFile() }
        // Gives the receiver a head that was held back, because it might have led to another request.
        if receiver != nil, let head = end.outcome.response, head.isFinal { end.transaction?.give(head) }
        var outcome = end.outcome.adding(resumeData)
        outcome.metrics = metrics
        end.handler(outcome)
        if kind.isDownload { end.transaction?.removeFile() }
        // A delegate may invalidate its session when it is released, which waits for the work queue of FoundationNetworking.
        awayFromEventLoop { [delegates] in delegates.releaseDelegates() }
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

    /// Counts the body of a response that might have led to another request, and did not: its bytes were not counted while they
    /// arrived. A stream is not counted, so this runs on the delegate queue.
    private func countWithheldBytes(of end: TaskLifecycle.Delivery, by counter: ByteCounter) {
        guard receiver == nil, !kind.isUpload, let transaction = end.transaction, end.outcome.error == nil,
            transaction.isWithheld
        else { return }
        let shown = transaction.shown
        counter(shown.received, shown.expectedToReceive)?()
    }

    private func store(_ used: UsedCredential, after outcome: TaskOutcome) {
        guard outcome.error == nil else { return }
        awayFromEventLoop { [configuration] in
            used.store(in: configuration.urlCredentialStorage, after: outcome.response)
        }
    }

    /// Calls a function at once, or on another queue for a stream, whose end may be on the event loop.
    private func awayFromEventLoop(_ work: @escaping @Sendable () -> Void) {
        if receiver == nil { work() } else { dependencies.callOnGlobalQueue(work) }
    }
}

#endif
