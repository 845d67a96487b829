#if canImport(FoundationNetworking)

import Foundation

/// The state machine of a caller's task.
///
/// It calls nothing: each event returns what is to be done, and the transfer does it after it has released its lock. While the task
/// runs, its latest transaction knows how far the request is.
///
/// ```
///     waiting ── resume ──▶ running ── end ──▶ ending ── deliver, unless the task is suspended ──▶ over
///        │                     │                  ▲
///        └────── cancel ───────┴──────────────────┘
/// ```
///
/// ## Races
///
/// All events take the lock of the transfer, so each finds one phase. What they find decides who wins.
///
/// A cancellation, while the next request is made:
///
/// 1. The delegate queue takes the answer to a redirect, and makes a transaction, without the lock.
/// 2. The caller cancels: `ending`. The only transaction to stop is the one before, which is over.
/// 3. The delegate queue comes back with its transaction: `begin` returns false, and nothing is sent.
///
/// A cancellation, while the last byte arrives:
///
/// 1. The event loop ends the transaction: `ending`, with a success. The handler waits for the delegate queue.
/// 2. The caller cancels. `cancel` replaces the outcome, because the handler was not called, and delivers, too.
/// 3. The delegate queue delivers twice. The first one takes the handler, the second one gets none.
///
/// An answer after the end:
///
/// 1. A timer ends the request while a delegate decides: `ending`. The transaction is stopped.
/// 2. The delegate answers, on any thread. `Transaction.stop()` says that the transaction was over, so nothing follows it.
///
/// A suspension, while the end is delivered:
///
/// 1. The event loop ends the transaction, and adds the delivery to the delegate queue.
/// 2. The caller suspends the task. An end that is on its way does not wait for `resume()`: its session may be waiting for it.
/// 3. The delegate queue delivers.
struct TaskLifecycle: Sendable {
    /// How far the caller's task is.
    enum Phase {
        /// It was never resumed.
        case waiting

        /// The transaction is the latest one.
        case running(Transaction?)

        /// It is decided how the request ends, and what is loaded is stopped. The handler is still to be called.
        case ending(TaskOutcome, Transaction?)

        /// The handler is called. The caller's task shows this.
        case over(ShownTask)
    }

    private(set) var phase = Phase.waiting

    /// Nil once the request is over.
    private var handler: OutcomeHandler?

    /// The caller's task while it runs, so that callers need not keep it.
    private(set) var callersTask: URLSessionTask?

    /// What counts the bytes of the request or of its response, if anybody does.
    private(set) var counter: ByteCounter?

    /// How often the caller's task has to be resumed before it runs.
    private(set) var suspendCount = 1
    private(set) var isCancelled = false

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
            phase = .running(nil)
            callersTask = task
            self.counter = counter
            return .sendFirstRequest
        case .ending:
            return .deliver
        case .running, .over:
            return .nothing
        }
    }

    /// The caller's task is suspended. What has begun goes on, and its end waits for `resume()`.
    mutating func suspend() {
        // An end that is on its way to the handler may not wait until the task is resumed: the session may wait for it.
        if case .ending = phase, mayDeliver { return }
        suspendCount += 1
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

    // MARK: Transactions

    /// A transaction is ready to be started.
    ///
    /// - Returns: Whether it is needed: the request has not ended meanwhile.
    mutating func begin(_ transaction: Transaction) -> Bool {
        guard case .running = phase else { return false }
        phase = .running(transaction)
        return true
    }

    /// The latest transaction.
    var transaction: Transaction? {
        switch phase {
        case .running(let transaction), .ending(_, let transaction): transaction
        case .waiting, .over: nil
        }
    }

    // MARK: The end

    /// Whether it is decided how the request ends.
    var hasEnded: Bool {
        switch phase {
        case .waiting, .running: false
        case .ending, .over: true
        }
    }

    /// It is decided how the request ends.
    struct Ending {
        /// The transaction to stop.
        let transaction: Transaction?

        /// Whether the end waits until the caller's task is resumed.
        let waitsForResume: Bool

        /// The phase before. An outcome that counts no more is released without the lock: its error may be the caller's.
        let former: Phase
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
    /// - Returns: What follows, or nil if it has ended already.
    mutating func end(with outcome: TaskOutcome) -> Ending? {
        switch phase {
        case .waiting, .running: end(as: outcome)
        case .ending, .over: nil
        }
    }

    private mutating func end(as outcome: TaskOutcome) -> Ending {
        let former = phase
        let last = transaction
        phase = .ending(outcome, last)
        return Ending(transaction: last, waitsForResume: !mayDeliver, former: former)
    }

    private var mayDeliver: Bool { suspendCount == 0 || isCancelled }

    struct Delivery {
        let handler: OutcomeHandler
        let outcome: TaskOutcome
        let transaction: Transaction?

        /// What counts the bytes of the request or of its response, if anybody does.
        let counter: ByteCounter?
    }

    /// The end comes out, unless the caller's task is suspended.
    ///
    /// - Parameter shown: What the caller's task shows from now on, except the outcome.
    /// - Returns: The handler to call, or nil if it was called, or waits until the task is resumed.
    mutating func deliver(showing shown: ShownTask) -> Delivery? {
        guard case .ending(let outcome, let last) = phase, let handler, mayDeliver else { return nil }
        var shown = shown
        shown.response = outcome.response ?? shown.response
        shown.error = outcome.error
        phase = .over(shown)
        self.handler = nil
        callersTask = nil
        return Delivery(handler: handler, outcome: outcome, transaction: last, counter: counter.take())
    }
}

#endif
