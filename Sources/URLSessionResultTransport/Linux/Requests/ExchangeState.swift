#if canImport(FoundationNetworking)

import Foundation

/// What may happen to a request, and what follows from it.
///
/// It calls nothing: each event returns what is to be done, and the exchange does it when its lock is released. Events that come too
/// late, of a hop that was dropped for example, change nothing.
///
/// ```
///               resume               begin             redirect, challenge
///     waiting ─────────▶ preparing ─────────▶ sending ─────────────────────▶ deciding
///                            ▲                                                   │
///                            └──────────────────── decide ───────────────────────┘
///
///     any of them ── end, cancel ──▶ ending ── deliver, unless the caller's task is suspended ──▶ over
/// ```
struct ExchangeState: Sendable {
    /// How far the request is.
    enum Phase {
        /// The caller's task was never resumed.
        case waiting

        /// The next request is being made. The hop is the one before, if there was one.
        case preparing(after: Hop?)

        /// A hop sends a request, and receives its response.
        case sending(Hop)

        /// A delegate decides about the response to a hop.
        case deciding(Hop)

        /// It is decided how the request ends, and nothing is loaded any more. The handler is still to be called.
        case ending(TaskOutcome, Hop?)

        /// The handler was called. The caller's task shows this.
        case over(ShownTask)
    }

    private(set) var phase = Phase.waiting

    /// Nil once the request is over.
    private var handler: OutcomeHandler?

    /// The caller's task while it runs, so that callers need not keep it.
    private var callersTask: URLSessionTask?

    /// What counts the bytes of the request or of its response, if anybody does.
    private var counter: ByteCounter?

    /// How often the caller's task has to be resumed before it runs.
    private(set) var suspendCount = 1
    private(set) var isCancelled = false
    private var redirectCount = 0

    /// The number of challenges since the last redirect.
    private var challengeCount = 0

    init(handler: @escaping OutcomeHandler) { self.handler = handler }

    // MARK: The caller's task

    enum Resumption {
        case nothing
        case sendFirstRequest

        /// The request has ended while the task was suspended.
        case deliver
    }

    /// The caller's task is resumed.
    mutating func resume(_ task: URLSessionTask, countingWith counter: ByteCounter?) -> Resumption {
        guard suspendCount > 0 else { return .nothing }
        suspendCount -= 1
        guard suspendCount == 0, !isCancelled else { return .nothing }
        switch phase {
        case .waiting:
            phase = .preparing(after: nil)
            callersTask = task
            self.counter = counter
            return .sendFirstRequest
        case .ending:
            return .deliver
        case .preparing, .sending, .deciding, .over:
            return .nothing
        }
    }

    /// The caller's task is suspended. What has begun goes on, and its end is held back.
    mutating func suspend() { suspendCount += 1 }

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
        switch phase {
        case .preparing(let last):
            phase = .sending(hop)
            return .start(dropping: last)
        case .ending, .over:
            return .drop
        case .waiting, .sending, .deciding:
            assertionFailure("Nobody has asked for a hop.")
            return .drop
        }
    }

    /// The hop whose response is the latest.
    var hop: Hop? {
        switch phase {
        case .sending(let hop), .deciding(let hop): hop
        case .preparing(let hop), .ending(_, let hop): hop
        case .waiting, .over: nil
        }
    }

    /// The caller's task if a hop is the present one, or nil if the hop was dropped.
    func callersTask(of hop: Hop) -> URLSessionTask? {
        switch phase {
        case .sending(let present), .deciding(let present): present === hop ? callersTask : nil
        case .waiting, .preparing, .ending, .over: nil
        }
    }

    /// What counts the bytes of a hop's request, or those of its response.
    func counter(for hop: Hop, ofRequest isRequest: Bool) -> ByteCounter? {
        guard let task = callersTask(of: hop) else { return nil }
        return task is URLSessionUploadTask == isRequest ? counter : nil
    }

    // MARK: Decisions

    /// A question to a delegate.
    struct Question {
        let task: URLSessionTask

        /// How many there were before: redirects, or challenges since the last redirect.
        let count: Int
    }

    /// The response to a hop redirects. A delegate is to be asked.
    ///
    /// - Returns: The question, or nil if the hop was dropped.
    mutating func redirect(by hop: Hop) -> Question? {
        guard let task = ask(about: hop) else { return nil }
        defer { redirectCount += 1 }
        challengeCount = 0
        return Question(task: task, count: redirectCount)
    }

    /// The response to a hop asks for a credential. A delegate is to be asked.
    ///
    /// - Returns: The question, or nil if the hop was dropped.
    mutating func challenge(by hop: Hop) -> Question? {
        guard let task = ask(about: hop) else { return nil }
        defer { challengeCount += 1 }
        return Question(task: task, count: challengeCount)
    }

    private mutating func ask(about hop: Hop) -> URLSessionTask? {
        guard case .sending(let present) = phase, present === hop else { return nil }
        phase = .deciding(hop)
        return callersTask
    }

    /// A delegate has decided.
    ///
    /// - Returns: The caller's task, or nil if the answer counts no more: it is the second one, or the request has ended.
    mutating func decide(about hop: Hop) -> URLSessionTask? {
        guard case .deciding(let present) = phase, present === hop else { return nil }
        phase = .preparing(after: hop)
        return callersTask
    }

    /// The request of a hop is to be sent again.
    ///
    /// - Returns: The caller's task, or nil if the hop was dropped before.
    mutating func sendAgain(_ hop: Hop) -> URLSessionTask? {
        guard ask(about: hop) != nil else { return nil }
        return decide(about: hop)
    }

    // MARK: The end

    /// It is decided how the request ends.
    struct Ending {
        /// The hop to stop.
        let hop: Hop?

        /// Whether the end waits until the caller's task is resumed.
        let isHeldBack: Bool
    }

    /// The request is cancelled. That counts even if it has ended, as long as the handler was not called.
    ///
    /// - Returns: What follows, or nil if the request is over, or was cancelled before.
    mutating func cancel(with outcome: TaskOutcome) -> Ending? {
        guard handler != nil, !isCancelled else { return nil }
        isCancelled = true
        return end(as: outcome)
    }

    /// The request has ended. The first end counts.
    ///
    /// - Parameters:
    ///   - hop: The hop that has ended, or nil if it is not a hop's end.
    ///   - outcome: The outcome.
    /// - Returns: What follows, or nil if it has ended already, or the hop was dropped.
    mutating func end(_ hop: Hop? = nil, with outcome: TaskOutcome) -> Ending? {
        switch phase {
        case .waiting, .preparing: hop == nil ? end(as: outcome) : nil
        case .sending(let present), .deciding(let present): hop == nil || hop === present ? end(as: outcome) : nil
        case .ending, .over: nil
        }
    }

    private mutating func end(as outcome: TaskOutcome) -> Ending {
        let last = hop
        phase = .ending(outcome, last)
        return Ending(hop: last, isHeldBack: !mayDeliver)
    }

    private var mayDeliver: Bool { suspendCount == 0 || isCancelled }

    struct Delivery {
        let handler: OutcomeHandler
        let outcome: TaskOutcome
        let hop: Hop?

        /// Nil if it was never resumed.
        let task: URLSessionTask?
    }

    /// The end comes out, unless the caller's task is suspended.
    ///
    /// - Parameter shown: What the caller's task shows from now on, but for the outcome.
    /// - Returns: The handler to call, or nil if it was called, or waits until the task is resumed.
    mutating func deliver(showing shown: ShownTask) -> Delivery? {
        guard case .ending(let outcome, let last) = phase, let handler, mayDeliver else {
            return nil
        }
        var shown = shown
        shown.response = outcome.response ?? shown.response
        shown.error = outcome.error
        phase = .over(shown)
        self.handler = nil
        counter = nil
        return Delivery(handler: handler, outcome: outcome, hop: last, task: callersTask.take())
    }
}

#endif
