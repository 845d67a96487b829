#if canImport(FoundationNetworking)

import Foundation

/// What may happen to a request, and what follows from it.
///
/// It calls nobody: each event returns what is to be done, and the exchange does it when its lock is released.
///
/// ```
///                            begin                  ask
///     waiting ──▶ between ──────────▶ sending ──────────────▶ deciding
///             resume   ▲ ▲                │                       │
///                      │ └────────────────┼───────────────────────┘ decide
///                      │                  ▼ end
///               resume └── held ◀── (is the caller's task suspended?) ──▶ over
/// ```
struct ExchangeState: Sendable {
    /// How far the request is.
    private enum Phase {
        /// The caller's task was never resumed.
        case waiting

        /// The next request is being made. The hop is the one before, if there was one.
        case between(after: Hop?)

        /// A hop sends a request, and receives its response.
        case sending(Hop)

        /// A delegate decides about the response to a hop.
        case deciding(Hop)

        /// The request has ended while the caller's task was suspended.
        case held(TaskOutcome, Hop?)

        /// The handler was called. The caller's task shows this.
        case over(ShownTask)
    }

    private var phase = Phase.waiting

    /// Nil once the request is over.
    private var handler: OutcomeHandler?

    /// The caller's task while it runs: nobody else has to keep it.
    private var callersTask: URLSessionTask?

    /// What counts the bytes of the request or of its response, if anybody does.
    private var counter: (any ByteCounter)?

    /// How often the caller's task has to be resumed before it runs.
    private var suspendCount = 1
    private var isCancelled = false
    private var redirectCount = 0

    /// The number of challenges since the last redirect.
    private var challengeCount = 0

    init(handler: @escaping OutcomeHandler) { self.handler = handler }

    // MARK: The caller's task

    enum Resumption {
        case nothing
        case sendFirstRequest
        case end(TaskOutcome)
    }

    /// The caller's task is resumed.
    mutating func resume(_ task: URLSessionTask, countingWith counter: (any ByteCounter)?) -> Resumption {
        guard suspendCount > 0 else { return .nothing }
        suspendCount -= 1
        guard suspendCount == 0, !isCancelled else { return .nothing }
        switch phase {
        case .waiting:
            phase = .between(after: nil)
            callersTask = task
            self.counter = counter
            return .sendFirstRequest
        case .held(let outcome, let hop):
            phase = .between(after: hop)
            return .end(outcome)
        case .between, .sending, .deciding, .over:
            return .nothing
        }
    }

    /// The caller's task is suspended. What has begun goes on, and its end is held back.
    mutating func suspend() { suspendCount += 1 }

    /// The request is cancelled.
    ///
    /// - Returns: Whether that ends it: not if it is over, or was cancelled before.
    mutating func cancel() -> Bool {
        guard handler != nil, !isCancelled else { return false }
        isCancelled = true
        if case .held(_, let hop) = phase { phase = .between(after: hop) }
        return true
    }

    /// The state of the caller's task.
    var state: URLSessionTask.State {
        if case .over = phase { return .completed }
        if isCancelled { return .canceling }
        return suspendCount > 0 ? .suspended : .running
    }

    /// What the caller's task shows at its end.
    var finallyShown: ShownTask? {
        if case .over(let shown) = phase { shown } else { nil }
    }

    // MARK: Hops

    enum Beginning {
        /// Start the new hop, and drop the one before.
        case start(dropping: Hop?)

        /// The request has ended meanwhile. Drop the new hop.
        case drop
    }

    /// A hop is ready to be started.
    mutating func begin(_ hop: Hop) -> Beginning {
        guard case .between(let last) = phase else {
            if case .sending = phase { assertionFailure("There is a hop already.") }
            return .drop
        }
        phase = .sending(hop)
        return .start(dropping: last)
    }

    /// The hop whose response is the latest.
    var hop: Hop? {
        switch phase {
        case .sending(let hop), .deciding(let hop): hop
        case .between(let hop), .held(_, let hop): hop
        case .waiting, .over: nil
        }
    }

    /// The caller's task if a hop is the present one, or nil if the hop was dropped.
    func callersTask(of hop: Hop) -> URLSessionTask? {
        switch phase {
        case .sending(let present), .deciding(let present): present === hop ? callersTask : nil
        case .waiting, .between, .held, .over: nil
        }
    }

    /// What counts the bytes of a request, or those of its response.
    func counter(ofRequest isRequest: Bool) -> (any ByteCounter)? {
        callersTask is URLSessionUploadTask == isRequest ? counter : nil
    }

    // MARK: Decisions

    /// A delegate is asked about the response to a hop.
    ///
    /// - Returns: The caller's task, or nil if the hop was dropped.
    mutating func ask(about hop: Hop) -> URLSessionTask? {
        guard case .sending(let present) = phase, present === hop, !isCancelled else { return nil }
        phase = .deciding(hop)
        return callersTask
    }

    /// A delegate has decided.
    ///
    /// - Returns: The caller's task, or nil if the answer counts no more: it is the second one, or the request was cancelled.
    mutating func decide(about hop: Hop) -> URLSessionTask? {
        guard case .deciding(let present) = phase, present === hop, !isCancelled else { return nil }
        phase = .between(after: hop)
        return callersTask
    }

    /// The request of a hop is to be sent again.
    ///
    /// - Returns: The caller's task, or nil if the hop was dropped before.
    mutating func drop(_ hop: Hop) -> URLSessionTask? {
        guard ask(about: hop) != nil else { return nil }
        return decide(about: hop)
    }

    /// - Returns: How many redirects there were.
    mutating func countRedirect() -> Int {
        redirectCount += 1
        challengeCount = 0
        return redirectCount
    }

    /// - Returns: How many credentials the server has refused.
    mutating func countChallenge() -> Int {
        defer { challengeCount += 1 }
        return challengeCount
    }

    // MARK: The end

    enum Ending {
        /// The request is over already, or its end is held back.
        case nothing

        /// Call the handler, and drop the hop.
        case finish(OutcomeHandler, Hop?)
    }

    /// The request has ended.
    ///
    /// - Parameters:
    ///   - outcome: The outcome. The first one counts, but once the request is cancelled, only that of the cancellation.
    ///   - shown: What the caller's task shows from now on.
    /// - Returns: What is to be done.
    mutating func end(with outcome: TaskOutcome, showing shown: ShownTask) -> Ending {
        guard let handler, !isCancelled || outcome.isCancellation else { return .nothing }
        if suspendCount > 0, !isCancelled {
            if case .held = phase { return .nothing }
            phase = .held(outcome, hop)
            return .nothing
        }
        let last = hop
        phase = .over(shown)
        self.handler = nil
        callersTask = nil
        counter = nil
        return .finish(handler, last)
    }
}

extension TaskOutcome {
    fileprivate var isCancellation: Bool { (error as? URLError)?.code == .cancelled }
}

// Part of: Exchange

#endif
