#if canImport(FoundationNetworking)

import Foundation

/// The state machine of one request on its way.
///
/// It calls nothing: each event returns what is to be done, in order, and the transaction does it after it has released its lock. An
/// event that does not count any more returns nothing. So nobody else has to know which transaction is the latest one. Only a file
/// that is continued is moved under the lock.
///
/// ```
///        ┌──────────────────── no other ─────────────────┐
///        ▼                                               │
///     open ─┬─ challenge, redirect, lost connection ─▶ asking ── end, stop ──▶ over
///           ├─ lost file ────────────────────────────▶ replaceable ── stop ─────▲
///           └─ end, stop ───────────────────────────────────────────────────────┘
/// ```
///
/// ## Races
///
/// A failure, while a delegate decides about a challenge:
///
/// 1. The event loop tells the challenge: `asking`. The delegate queue asks the delegate.
/// 2. The load fails: `over`. The transfer ends with the error.
/// 3. The delegate answers. The transfer stops this transaction, hears that it was over, and sends nothing.
///
/// If the answer comes first, `stop()` closes the transaction, and the failure finds it closed. The timeout of the request goes on
/// meanwhile, and is such a failure.
///
/// A cancellation, while a byte arrives:
///
/// 1. The caller cancels. `stop()` takes the load, which goes on for an instant.
/// 2. The end is delivered: the file is removed, if there is one.
/// 3. The event loop brings more bytes. `receive` finds the transaction over. A file that is made just then is removed at once
///    (`ReceivedResponse.begin`).
///
/// A cancellation for resume data, while the head of the rest arrives:
///
/// 1. The caller cancels, and `earlierResumeData` finds that no byte of the rest has come: the kept file is still good.
/// 2. The event loop brings the head. It would move the kept file away, but the transaction is over: `stop()` came first.
///
/// If the head comes first, `wholeCount` says so to the first step, and the file is the transaction's.
///
/// Unchecked, because the lock of the transaction is held on every access.
struct TransactionLifecycle: @unchecked Sendable {
    enum Phase {
        /// What the load tells counts.
        case open

        /// It is asked whether another request follows. The body of the response is kept meanwhile.
        case asking

        /// The load does not count any more. Another request may follow.
        case replaceable

        /// It has ended, or was stopped.
        case over
    }

    /// How far the head of a stream's response has got.
    enum Head {
        case missing

        /// It may be that of a challenge, or a delegate decides whether another request follows.
        case heldBack

        /// The receiver has it, and what came behind it.
        case given
    }

    /// How a load has ended.
    private enum LoadEnd {
        case whole
        case failed(any Error)

        var error: (any Error)? {
            switch self {
            case .whole: nil
            case .failed(let error): error
            }
        }
    }

    /// What is to be done.
    enum Action {
        case storeCookies(of: URLResponse)

        /// Call `endPatience(with:)` after some time, between two events of the load. It gives the head if that is still held back.
        case waitForBody(after: URLResponse, betweenEvents: Transaction.BetweenEvents)

        /// Give the receiver of a stream the head and the bytes that were held back. If it is timed, `endPatience` follows.
        case give(URLResponse, Data, isTimed: Bool)
        case pass(Data)

        /// Write bytes to the file of a download, and tell it: `wrote(_:)`. Those that were held back are counted already.
        case write(Data, wereHeldBack: Bool)

        /// Let the load receive no more for now, or go on.
        case setReceivingPaused(Bool)

        /// The time for the body is over.
        case endPatience
        case count(Int64)

        /// Bytes have come that are counted at the end if no other request follows (`Transfer.countWithheldBytes`).
        case showProgress

        /// Stop the load, and ask whether another request follows.
        case replace(any Load, Transaction.Cause)
        case ask(Transaction.Cause)
        case end(TaskOutcome, endedByLoad: Bool)

        /// Write what was held back, and end with the file.
        case endDownload(URLResponse?, heldBack: Data, endedByLoad: Bool)
    }

    private let url: URL?
    private let resumeData: ResumeData?
    private let asksForRest: Bool
    private let isStream: Bool
    private let isDownload: Bool
    private var phase = Phase.open
    private var head = Head.missing

    /// Whether the wait for the body is limited: `endPatience(with:)` will be called.
    private var isTimed = false

    /// Whether the load has told a head, so that its cookies are stored. FoundationNetworking does not tell the head of a 3xx
    /// before its end.
    private var hasHead = false

    /// Calls a function where the load tells its events, between two of them.
    private(set) var betweenEvents: Transaction.BetweenEvents?

    /// How the load has ended while a delegate is asked whether another request follows. Nil while it goes on.
    private var endWhileAsking: LoadEnd?

    /// Nil once it was told to stop, or has ended.
    private(set) var load: (any Load)?

    var received = ReceivedResponse()

    /// The `Set-Cookie` fields of the response. Nil if the load does not know them apart.
    var cookieFields: [String]?

    // What the load has said at its end.
    private var lastResponse: URLResponse?
    private var lastSentCount: Int64 = 0
    private var lastExpectedToSend: Int64 = 0
    private var lastMetrics: TransactionMetrics?

    init(of prepared: PreparedRequest, isStream: Bool) {
        url = prepared.request.url
        resumeData = prepared.kind.resumeData
        asksForRest = prepared.asksForRest
        isDownload = prepared.kind.isDownload
        self.isStream = isStream
    }

    /// The load is made. It is not started yet.
    mutating func begin(_ load: any Load) { self.load = load }

    // MARK: What is known

    /// Whether what the load tells counts.
    var counts: Bool { phase == .open || phase == .asking }
    var isAsking: Bool { phase == .asking }
    var mayBeFollowed: Bool { phase != .over }

    var response: URLResponse? { load?.response ?? lastResponse }
    var sentCount: Int64 { load?.countOfBytesSent ?? lastSentCount }
    var expectedToSend: Int64 { load?.countOfBytesExpectedToSend ?? lastExpectedToSend }
    var metrics: TransactionMetrics? { load?.metrics ?? lastMetrics }

    /// The number of bytes that the body has when it is whole, or a number below 1 while it is unknown.
    var expectedCount: Int64 { received.wholeCount ?? response?.lengthOfBody ?? 0 }

    // MARK: The response

    /// The head of a response has come. A `URLProtocol` may give several.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - betweenEvents: A function that calls another one between two things that the load tells.
    /// - Returns: What is to be done.
    mutating func receive(_ response: URLResponse, betweenEvents: @escaping Transaction.BetweenEvents) -> [Action] {
        guard response.isFinal, counts else { return [] }
        hasHead = true
        received.isWithheld = response.mayLeadToAnotherRequest
        // The cookies are stored now: the body may last for hours, and other requests of the session have the cookies meanwhile.
        var actions = [Action.storeCookies(of: response)]
        if let resumeData, let response = response as? HTTPURLResponse,
            !received.continueFile(of: resumeData, with: response), asksForRest
        {
            actions += replace(because: .lostFile)
        } else if isStream, response.mayLeadToAnotherRequest {
            if head == .missing { head = .heldBack }
            isTimed = true
            actions.append(.waitForBody(after: response, betweenEvents: betweenEvents))
        } else if isStream, let given = give(response) {
            actions.append(given)
        }
        return actions
    }

    /// The receiver of a stream is given the head, once, and what was held back behind it.
    mutating func give(_ response: URLResponse) -> Action? {
        guard isStream, head != .given else { return nil }
        head = .given
        return .give(response, received.takeData(), isTimed: isTimed)
    }

    /// The body of a response that may be a challenge has not ended for some time.
    mutating func endPatience(with response: URLResponse) -> [Action] {
        guard phase == .open else { return [] }
        return [give(response), .endPatience].compactMap { $0 }
    }

    /// How many bytes of a response are held back: those of a stream that may be a challenge, or of any while it is asked whether
    /// another request follows.
    private static let mostHeldBack = 1024 * 1024

    /// Bytes of the body have come. What arrives after the load was stopped is not kept, because its server may go on for long.
    mutating func receive(_ bytes: Data) -> Action? {
        guard counts else { return nil }
        if phase == .asking, head == .heldBack {
            received.keep(bytes)
            return received.data.count >= Self.mostHeldBack ? .setReceivingPaused(true) : .showProgress
        }
        // Workaround: byteCounts
        if isStream, head != .heldBack {
            received.count += Int64(bytes.count)
            return .pass(bytes)
        }
        guard !isDownload else { return .write(bytes, wereHeldBack: false) }
        received.keep(bytes)
        guard isStream else { return countReceived() }
        guard received.data.count >= Self.mostHeldBack, let response else { return nil }
        return give(response)
    }

    private func countReceived() -> Action { received.isWithheld ? .showProgress : .count(received.count) }

    /// Bytes were written to the file of a download.
    mutating func wrote(_ count: Int) -> Action? {
        guard counts else { return nil }
        received.count += Int64(count)
        return countReceived()
    }

    /// The file of a download cannot be made, or written. The transfer stops the load.
    mutating func failed(with error: any Error) -> Action? {
        guard counts else { return nil }
        phase = .over
        return .end(TaskOutcome(response: response, error: error), endedByLoad: false)
    }

    // MARK: What may follow

    /// Another request may follow. A stream that has begun with the response goes no further.
    ///
    /// - Parameters:
    ///   - cause: Why.
    ///   - betweenEvents: As of `Transaction.BetweenEvents`. Nil if the load tells nothing more, except for a failure.
    /// - Returns: What is to be done.
    mutating func ask(because cause: Transaction.Cause, betweenEvents: Transaction.BetweenEvents?) -> [Action] {
        guard phase == .open else { return [] }
        let action: Action
        if head == .given {
            phase = .over
            action = end(after: cause)
        } else {
            phase = .asking
            head = .heldBack
            self.betweenEvents = betweenEvents
            endWhileAsking = betweenEvents == nil ? .whole : nil
            action = .ask(cause)
        }
        guard case .redirect(let response, _) = cause else { return [action] }
        hasHead = true
        return [.storeCookies(of: response), action]
    }

    /// No other request follows: the response is what the caller gets, or there is none.
    mutating func keepResponse(of cause: Transaction.Cause) -> [Action] {
        guard mayBeFollowed else { return [] }
        guard phase == .asking, let response = cause.response else { return [end(after: cause)] }
        lastResponse = response
        if let endWhileAsking { return [end(with: response, endWhileAsking.error, byLoad: false)] }
        phase = .open
        let heldBack = isDownload && !received.data.isEmpty ? received.takeData() : nil
        let write = heldBack.map { Action.write($0, wereHeldBack: true) }
        return [write, .setReceivingPaused(false), give(response)].compactMap { $0 }
    }

    /// Another request may take the place of the load, which cannot go on.
    mutating func replace(because cause: Transaction.Cause) -> [Action] {
        guard phase == .open, let load = takeLoad(as: .replaceable) else { return [] }
        return [.replace(load, cause)]
    }

    // MARK: The end

    /// The load is over.
    mutating func end(with error: (any Error)?) -> [Action] {
        guard counts else { return [] }
        if phase == .asking {
            // A redirect is followed although its body is cut off. Only a timeout ends the request: it goes on while a delegate
            // decides.
            if endWhileAsking == nil, (error as? URLError)?.code != .timedOut {
                endWhileAsking = error.map { .failed($0) } ?? .whole
                return []
            }
            // The whole response came before the question, so this end was noted then.
            if error == nil { return [] }
        }
        _ = takeLoad(as: .over)
        let response = response
        let end = end(with: response, error ?? received.wrongLength, byLoad: true)
        if !hasHead, let response { return [.storeCookies(of: response), end] }
        return [end]
    }

    /// The transfer ends the load. What it tells afterwards does not count.
    ///
    /// - Returns: The load to stop, and whether this has closed the transaction. Otherwise it was over before.
    mutating func stop() -> (load: (any Load)?, isClosed: Bool) {
        let isClosed = phase != .over
        return (takeLoad(as: .over), isClosed)
    }

    /// Takes the load, and keeps what the caller's task shows of it.
    private mutating func takeLoad(as phase: Phase) -> (any Load)? {
        self.phase = phase
        // The closure keeps the load.
        betweenEvents = nil
        guard let load = load.take() else { return nil }
        lastResponse = load.response ?? lastResponse
        lastSentCount = load.countOfBytesSent
        lastExpectedToSend = load.countOfBytesExpectedToSend
        lastMetrics = load.metrics
        return load
    }

    /// The end if no other request follows.
    private mutating func end(after cause: Transaction.Cause) -> Action {
        if let error = cause.error(at: url) { return .end(TaskOutcome(error: error), endedByLoad: false) }
        return end(with: cause.response ?? response, nil, byLoad: false)
    }

    /// The end with what a handler is given.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - error: Why not all of it is there.
    ///   - endedByLoad: Whether the load has ended by itself.
    /// - Returns: What is to be done.
    private mutating func end(
        with response: URLResponse?, _ error: (any Error)?, byLoad endedByLoad: Bool
    ) -> Action {
        guard isDownload else {
            return .end(TaskOutcome(data: received.data, response: response, error: error), endedByLoad: endedByLoad)
        }
        guard error == nil else {
            return .end(TaskOutcome(response: response, error: error), endedByLoad: endedByLoad)
        }
        return .endDownload(response, heldBack: received.takeData(), endedByLoad: endedByLoad)
    }
}

#endif
