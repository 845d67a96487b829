#if canImport(FoundationNetworking)

import Foundation

/// What may happen to a caller's task and its requests, and what follows from it.
///
/// It calls nothing: each event returns what is to be done, and the transfer does it when its lock is released. Events that come
/// too late, of a transaction that was dropped for example, change nothing.
///
/// ```
///               resume               begin             redirect, challenge
///     waiting ─────────▶ preparing ─────────▶ sending ─────────────────────▶ deciding
///                            ▲                                                   │
///                            └──────────────────── decide ───────────────────────┘
///
///     any of them ── end, cancel ──▶ ending ── deliver, unless the caller's task is suspended ──▶ over
/// ```
///
/// ## Races
///
/// All events take the lock of the transfer, so each finds one phase. What they find decides who wins.
///
/// A cancellation, while the next request is made:
///
/// 1. The delegate queue takes the answer to a redirect: `decide` leads to `preparing`. It makes a transaction, without the lock.
/// 2. The caller cancels: `ending`. There is a transaction to stop, the one before, and none to start.
/// 3. The delegate queue comes back with its transaction: `begin` says `drop`, and nothing is sent.
///
/// A cancellation, while the last byte arrives:
///
/// 1. The work queue ends the transaction: `ending`, with a success. The handler waits for the delegate queue.
/// 2. The caller cancels. `cancel` replaces the outcome, because the handler was not called, and delivers, too.
/// 3. The delegate queue delivers twice. The first one takes the handler, the second one gets none.
///
/// Two answers to one question, or an answer after the end:
///
/// 1. The delegate queue asks about a challenge: `deciding`.
/// 2. A timer ends the request: `ending`.
/// 3. The delegate answers, on any thread. `decide` finds another phase, and the answer counts no more.
///
/// A suspension, while the end is delivered:
///
/// 1. The work queue ends the transaction, and adds the delivery to the delegate queue.
/// 2. The caller suspends the task. An end that is on its way is not held back: its session may be waiting for it.
/// 3. The delegate queue delivers.
struct TaskLifecycle: Sendable {
    /// How far the request is.
    enum Phase {
        /// The caller's task was never resumed.
        case waiting

        /// The next request is being made. The transaction is the one before, if there was one.
        case preparing(after: Transaction?)

        /// A transaction sends a request, and receives its response.
        case sending(Transaction)

        /// A delegate decides about the response to a transaction.
        case deciding(Transaction)

        /// It is decided how the request ends, and nothing is loaded any more. The handler is still to be called.
        case ending(TaskOutcome, Transaction?)

        /// The handler was called. The caller's task shows this.
        case over(ShownTask)
    }

    private(set) var phase = Phase.waiting

    /// Nil once the request is over.
    private var handler: OutcomeHandler?

    /// The caller's task while it runs, so that callers need not keep it.
    private(set) var callersTask: URLSessionTask?

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
    mutating func suspend() {
        // An end that is not held back is on its way to the handler. The session may not wait until the task is resumed.
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

    enum Beginning {
        /// Start the new transaction, and drop the one before.
        case start(dropping: Transaction?)

        /// The request has ended meanwhile. Drop the new transaction.
        case drop
    }

    /// A transaction is ready to be started.
    mutating func begin(_ transaction: Transaction) -> Beginning {
        switch phase {
        case .preparing(let last):
            phase = .sending(transaction)
            return .start(dropping: last)
        case .ending, .over:
            return .drop
        case .waiting, .sending, .deciding:
            assertionFailure("Nobody has asked for a transaction.")
            return .drop
        }
    }

    /// The transaction whose response is the latest.
    var transaction: Transaction? {
        switch phase {
        case .sending(let transaction), .deciding(let transaction): transaction
        case .preparing(let transaction), .ending(_, let transaction): transaction
        case .waiting, .over: nil
        }
    }

    /// The caller's task if a transaction is the present one, or nil if the transaction was dropped.
    func callersTask(of transaction: Transaction) -> URLSessionTask? {
        switch phase {
        case .sending(let present), .deciding(let present): present === transaction ? callersTask : nil
        case .waiting, .preparing, .ending, .over: nil
        }
    }

    /// What counts the bytes of a transaction's request, or those of its response.
    func counter(for transaction: Transaction, ofRequest isRequest: Bool) -> ByteCounter? {
        guard let task = callersTask(of: transaction) else { return nil }
        return task is URLSessionUploadTask == isRequest ? counter : nil
    }

    // MARK: Decisions

    /// A question to a delegate.
    struct Question {
        let task: URLSessionTask

        /// How many there were before: redirects, or challenges since the last redirect.
        let count: Int
    }

    /// The response to a transaction redirects. A delegate is to be asked.
    ///
    /// - Returns: The question, or nil if the transaction was dropped.
    mutating func redirect(by transaction: Transaction) -> Question? {
        guard let task = ask(about: transaction) else { return nil }
        defer { redirectCount += 1 }
        challengeCount = 0
        return Question(task: task, count: redirectCount)
    }

    /// The response to a transaction asks for a credential. A delegate is to be asked.
    ///
    /// - Returns: The question, or nil if the transaction was dropped.
    mutating func challenge(by transaction: Transaction) -> Question? {
        guard let task = ask(about: transaction) else { return nil }
        defer { challengeCount += 1 }
        return Question(task: task, count: challengeCount)
    }

    private mutating func ask(about transaction: Transaction) -> URLSessionTask? {
        guard case .sending(let present) = phase, present === transaction else { return nil }
        phase = .deciding(transaction)
        return callersTask
    }

    /// A delegate has decided.
    ///
    /// - Returns: The caller's task, or nil if the answer counts no more: it is the second one, or the request has ended.
    mutating func decide(about transaction: Transaction) -> URLSessionTask? {
        guard case .deciding(let present) = phase, present === transaction else { return nil }
        phase = .preparing(after: transaction)
        return callersTask
    }

    /// The request of a transaction is to be sent again.
    ///
    /// - Returns: The caller's task, or nil if the transaction was dropped before.
    mutating func sendAgain(_ transaction: Transaction) -> URLSessionTask? {
        guard ask(about: transaction) != nil else { return nil }
        return decide(about: transaction)
    }

    // MARK: The end

    /// It is decided how the request ends.
    struct Ending {
        /// The transaction to stop.
        let transaction: Transaction?

        /// Whether the end waits until the caller's task is resumed.
        let isHeldBack: Bool

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
    /// - Parameters:
    ///   - transaction: The transaction that has ended, or nil if it is not a transaction's end.
    ///   - outcome: The outcome.
    /// - Returns: What follows, or nil if it has ended already, or the transaction was dropped.
    mutating func end(_ transaction: Transaction? = nil, with outcome: TaskOutcome) -> Ending? {
        switch phase {
        case .waiting, .preparing: transaction == nil ? end(as: outcome) : nil
        case .sending(let present), .deciding(let present):
            transaction == nil || transaction === present ? end(as: outcome) : nil
        case .ending, .over: nil
        }
    }

    private mutating func end(as outcome: TaskOutcome) -> Ending {
        let former = phase
        let last = transaction
        phase = .ending(outcome, last)
        return Ending(transaction: last, isHeldBack: !mayDeliver, former: former)
    }

    private var mayDeliver: Bool { suspendCount == 0 || isCancelled }

    struct Delivery {
        let handler: OutcomeHandler
        let outcome: TaskOutcome
        let transaction: Transaction?

        /// What counts the bytes of the request or of its response, if anybody does.
        let counter: ByteCounter?

        /// Nil if it was never resumed.
        let task: URLSessionTask?

        /// What counts the bytes of the response, if anybody does.
        var responseCounter: ByteCounter? { task is URLSessionUploadTask ? nil : counter }
    }

    /// The end comes out, unless the caller's task is suspended.
    ///
    /// - Parameter shown: What the caller's task shows from now on, except the outcome.
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
        return Delivery(
            handler: handler, outcome: outcome, transaction: last, counter: counter.take(), task: callersTask.take())
    }
}

#endif
