#if canImport(FoundationNetworking)

import Foundation

/// What changes in an exchange. One lock guards it, and no method calls anyone else.
struct ExchangeState: ~Copyable, Sendable {
    /// Nil once the request is over.
    var handler: OutcomeHandler?
    private(set) var kind: TaskKind

    /// The meter of the progress, if there are reports, and whether it counts the bytes of the request.
    private(set) var meter: ProgressMeter?
    private(set) var metersRequest = false

    /// The caller's task once it has nothing to do but wait for the end of the request. It is cancelled then.
    private(set) var waitingTask: URLSessionTask?

    /// What runs instead of the caller's task.
    private(set) var hop: Hop?

    /// The task whose response the delegate is asked about.
    private var undecidedTask: URLSessionTask?
    private var redirectCount = 0

    /// The number of challenges since the last redirect.
    private var challengeCount = 0

    /// Who decides about challenges and redirects: the delegate that the session had when the task was made, after that of
    /// the request, if there is one.
    ///
    /// When the session is invalidated, FoundationNetworking releases its delegate without a lock, and reading it at that
    /// moment crashes.
    var delegate: any URLSessionTaskDelegate

    /// The `Cookie` field of the latest request if the storage filled it, not the caller.
    var storedCookieField: String?

    /// What the storage held for the host when the caller's task was made.
    var cookiesAtStart: [HTTPCookie] = []

    /// When the latest request was sent.
    private var start = Date()

    /// Whether the cookies of its response are stored.
    private var areCookiesStored = false

    init(handler: @escaping OutcomeHandler, kind: TaskKind, delegate: any URLSessionTaskDelegate) {
        self.handler = handler
        self.kind = kind
        self.delegate = delegate
    }

    // MARK: Tasks

    /// Whether a task is the one that sends the request at present.
    func runs(_ task: URLSessionTask) -> Bool {
        handler != nil && (hop == nil || hop?.task === task)
    }

    /// Keeps the caller's task until the end of the request.
    ///
    /// - Returns: Whether it has just begun to wait.
    mutating func letWait(_ task: URLSessionTask) -> Bool {
        guard handler != nil, waitingTask == nil else { return false }
        waitingTask = task
        return true
    }

    mutating func report(to meter: ProgressMeter?) {
        self.meter = meter
        metersRequest = kind.isUpload
    }

    /// Lets a new task run.
    ///
    /// - Returns: The task in the inner session to drop: the one before, or the new one if the request is over.
    mutating func run(_ task: URLSessionTask, of kind: TaskKind) -> URLSessionTask? {
        guard handler != nil else { return task }
        defer { hop = Hop(task) }
        self.kind = kind
        return hop?.task
    }

    /// The hop that a task is for, or nil if the task was dropped.
    func hop(of task: URLSessionTask) -> Hop? {
        hop?.task === task ? hop : nil
    }

    // MARK: Cookies

    /// Notes that the cookies of the response are stored.
    ///
    /// - Returns: What is known of the request, or nil if they were stored before.
    mutating func storeCookies() -> (start: Date, cookies: [HTTPCookie])? {
        guard !areCookiesStored else { return nil }
        areCookiesStored = true
        return (start, cookiesAtStart)
    }

    /// Notes that another request is sent.
    mutating func expectNewCookies() {
        start = Date()
        areCookiesStored = false
    }

    // MARK: Decisions

    /// Notes that the delegate is asked about the response to a task.
    ///
    /// - Returns: The caller's task, or nil if the task was dropped.
    mutating func ask(about task: URLSessionTask) -> URLSessionTask? {
        guard runs(task) else { return nil }
        _ = letWait(task)
        undecidedTask = task
        return waitingTask
    }

    /// Notes that the delegate has decided.
    ///
    /// - Returns: The caller's task, or nil if the task was dropped, or decided about before.
    mutating func decide(about task: URLSessionTask) -> URLSessionTask? {
        guard undecidedTask === task else { return nil }
        undecidedTask = nil
        return waitingTask
    }

    /// - Returns: Whether the redirect may be followed. FoundationNetworking has the same limit for each task.
    mutating func countRedirect() -> Bool {
        redirectCount += 1
        challengeCount = 0
        return redirectCount <= 20
    }

    /// - Returns: How many credentials the server has refused.
    mutating func countChallenge() -> Int {
        defer { challengeCount += 1 }
        return challengeCount
    }

    // MARK: The end

    /// Lets the handler and the tasks go.
    ///
    /// - Returns: What is left of the exchange.
    mutating func end() -> (handler: OutcomeHandler?, kind: TaskKind, waitingTask: URLSessionTask?, hop: Hop?) {
        undecidedTask = nil
        return (handler.take(), kind, waitingTask.take(), hop.take())
    }
}

// Part of: Exchange

#endif
