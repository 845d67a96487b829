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

    /// The caller's task from its beginning to its end.
    private(set) var callersTask: URLSessionTask?

    /// What sends the request.
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

    /// The delegate that the caller has set.
    var callersDelegate: (any URLSessionTaskDelegate)?

    /// What the caller's task shows, but for what its hop knows.
    private(set) var shown = ShownTask()

    /// The progress that the caller has asked for.
    var shownProgress: Progress?

    /// How often the caller's task is to be resumed before it runs.
    private var suspendCount = 1

    /// The end of the request while the caller's task is suspended.
    private var heldOutcome: TaskOutcome?

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
        handler != nil && hop?.task === task
    }

    /// - Returns: The kind of the task to begin with, or the end that was held back.
    mutating func resume(_ task: URLSessionTask, reportingTo meter: ProgressMeter?) -> (TaskKind?, TaskOutcome?) {
        guard handler != nil, shown.state == .suspended else { return (nil, nil) }
        suspendCount -= 1
        guard suspendCount == 0 else { return (nil, nil) }
        shown.state = .running
        guard callersTask == nil else { return (nil, heldOutcome.take()) }
        callersTask = task
        if let meter {
            self.meter = meter
            metersRequest = kind.isUpload
        }
        return (kind, nil)
    }

    mutating func suspend() {
        guard shown.state == .running || shown.state == .suspended else { return }
        suspendCount += 1
        shown.state = .suspended
    }

    /// - Returns: The URL to name, or nil if the request is over or was cancelled before.
    mutating func cancel(_ url: URL?) -> URL? {
        guard handler != nil, shown.state == .running || shown.state == .suspended else { return nil }
        shown.state = .canceling
        return hop?.task.originalRequest?.url ?? url
    }

    /// Lets a new task run.
    ///
    /// - Returns: The task in the inner session to drop: the one before, or the new one if the request is over.
    mutating func run(_ task: URLSessionTask, sending request: URLRequest, of kind: TaskKind) -> URLSessionTask? {
        guard handler != nil else { return task }
        defer { hop = Hop(task, sending: request, isDownload: kind.isDownload) }
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
    /// - Returns: When the request was sent, or nil if they were stored before.
    mutating func storeCookies() -> Date? {
        guard !areCookiesStored else { return nil }
        areCookiesStored = true
        return start
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
        undecidedTask = task
        return callersTask
    }

    /// Notes that the delegate has decided.
    ///
    /// - Returns: The caller's task, or nil if the task was dropped, or decided about before.
    mutating func decide(about task: URLSessionTask) -> URLSessionTask? {
        guard undecidedTask === task else { return nil }
        undecidedTask = nil
        return callersTask
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

    /// Lets the handler and the tasks go, unless the caller's task is suspended.
    ///
    /// - Returns: What is left of the exchange.
    mutating func end(with outcome: TaskOutcome, shown: ShownTask) -> (handler: OutcomeHandler?, hop: Hop?)? {
        guard self.shown.state != .suspended else {
            if heldOutcome == nil { heldOutcome = outcome }
            return nil
        }
        if handler != nil {
            self.shown = shown
            self.shown.state = .completed
            self.shown.response = outcome.response ?? shown.response
            self.shown.error = outcome.error
        }
        undecidedTask = nil
        callersTask = nil
        heldOutcome = nil
        return (handler.take(), hop.take())
    }
}

// Part of: Exchange

#endif
