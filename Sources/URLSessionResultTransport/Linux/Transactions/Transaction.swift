#if canImport(FoundationNetworking)

import Foundation

/// One request on its way, and what has arrived of its response: what URLSession's metrics call a transaction.
///
/// What it is told is told on the work queue, or on the thread of a `URLProtocol` of the caller. Its phase says what of that counts, so
/// that nobody else has to know which transaction is the present one. It tells the transfer one thing, once: its end, or why another
/// request may follow.
///
/// ```
///     open ── challenge, redirect ──▶ asking ── end, stop ──▶ over
///       │                                                      ▲
///       ├── connection or file lost ──▶ replaceable ── stop ───┤
///       └── end, stop ─────────────────────────────────────────┘
/// ```
///
/// A failure, while a delegate decides about a challenge:
///
/// 1. The work queue tells the challenge: `asking`. The delegate queue asks the delegate.
/// 2. The load fails: `over`. The transfer ends with the error.
/// 3. The delegate answers. The transfer stops this transaction, hears that it was over, and sends nothing.
///
/// If the answer comes first, `stop()` closes the transaction, and the failure finds it closed. The timeout of a redirect is no failure:
/// `checkTimeout(after:)` finds it.
final class Transaction: NSObject, Sendable {
    /// Why another request may follow.
    enum Cause: Sendable {
        case challenge(URLAuthenticationChallenge)

        /// With the next request if a `URLProtocol` of the caller has made it.
        case redirect(HTTPURLResponse, to: URLRequest?)

        /// The server has closed a connection that was kept, without an answer.
        case lostConnection

        /// The kept file of a download is gone, so that nothing can be put behind it.
        case lostFile
    }

    enum Phase {
        /// What the load tells counts.
        case open

        /// It is asked whether another request follows. The load tells nothing more, except that it has failed.
        case asking

        /// The load does not count any more. Another request may follow.
        case replaceable

        /// It has ended, or was stopped.
        case over
    }

    /// Unchecked, because the lock of the transaction is held on every access.
    struct Content: @unchecked Sendable {
        fileprivate(set) var phase = Phase.open

        /// Nil once it was told to stop, or has ended.
        fileprivate(set) var load: (any Load)?

        /// Whether the load reads the body of its request from a stream.
        fileprivate var isStreamed = false
        fileprivate var proxyHeads: ProxyHeads
        var received: ReceivedResponse

        // What the load has said at its end.
        private var response: URLResponse?
        private var sentCount: Int64 = 0
        private var expectedToSend: Int64 = 0

        fileprivate init(proxyHeads: ProxyHeads, received: ReceivedResponse) {
            self.proxyHeads = proxyHeads
            self.received = received
        }

        fileprivate var counts: Bool { phase == .open || phase == .asking }

        var presentResponse: URLResponse? { proxyHeads.serversHead(load?.response ?? response) }
        fileprivate var presentSentCount: Int64 { load?.countOfBytesSent ?? sentCount }
        fileprivate var presentExpectedToSend: Int64 { load?.countOfBytesExpectedToSend ?? expectedToSend }

        /// The number of bytes that the body has when it is whole, or a number below 1 while it is unknown.
        var expectedCount: Int64 { received.wholeCount ?? presentResponse?.lengthOfBody ?? 0 }

        /// - Returns: Whether the head counts.
        fileprivate mutating func accept(_ head: URLResponse) -> Bool {
            guard counts else { return false }
            received.isWithheld = head.mayLeadToAnotherRequest
            return true
        }

        /// Takes the load, and keeps what the caller's task shows of it.
        fileprivate mutating func endLoad(as phase: Phase) -> (any Load)? {
            self.phase = phase
            guard let load = load.take() else { return nil }
            response = load.response ?? response
            sentCount = load.countOfBytesSent
            expectedToSend = load.countOfBytesExpectedToSend
            return load
        }
    }

    let prepared: PreparedRequest

    /// The caller's task.
    let task: URLSessionTask
    private let transfer: Transfer

    /// Whether a proxy may send heads, too.
    private let hasProxy: Bool

    /// Guards what has arrived: the load tells it while the caller looks at it, stops the load or removes the file. Bytes are
    /// written under this lock, in the order in which they come. The lock of a `ProtocolLoad` is taken under it, never the other
    /// way round.
    ///
    /// A cancellation, while a byte arrives:
    ///
    /// 1. The caller cancels. `stop()` takes the load, which goes on for an instant.
    /// 2. The end is delivered: `removeFile()` removes the file, if there is one.
    /// 3. The work queue brings more bytes. `receive` finds the transaction over, and makes no file that nobody would remove.
    ///
    /// A cancellation for resume data, while the head of the rest arrives:
    ///
    /// 1. The caller cancels, and `earlierResumeData` finds that no byte of the rest has come: the kept file is still good.
    /// 2. The work queue brings the head. It would move the kept file away, but the transaction is over: `stop()` came first.
    ///
    /// If the head comes first, `wholeCount` says so to the first step, and the file is the transaction's.
    let content: Locked<Content>

    /// - Parameters:
    ///   - prepared: The request, and the body of an upload.
    ///   - completed: The request with what the session's configuration adds to it.
    ///   - loader: Who loads it.
    ///   - transfer: The transfer, which is told what arrives.
    ///   - task: The caller's task.
    /// - Throws: The reason why there is nothing to send: the file of an upload cannot be read.
    init(
        sending prepared: PreparedRequest, as completed: URLRequest, by loader: Loader, for transfer: Transfer,
        _ task: URLSessionTask
    ) throws {
        self.prepared = prepared
        self.transfer = transfer
        self.task = task
        let received = ReceivedResponse(
            isStream: transfer.receiver != nil, isDownload: prepared.kind.isDownload,
            makingFile: transfer.dependencies.makeFile)
        let proxyHeads = ProxyHeads(of: completed, by: loader)
        hasProxy = proxyHeads.mayBeProxy
        content = Locked(Content(proxyHeads: proxyHeads, received: received))
        super.init()
        let load = try transfer.dependencies.makeLoad(loader, completed, self)
        content.withLock { content in
            content.load = load
            content.isStreamed = load is StreamedUpload
        }
    }

    var request: URLRequest { prepared.request }
    var configuration: URLSessionConfiguration { transfer.configuration }
    var callersSession: URLSession { transfer.session }
    var isStream: Bool { transfer.receiver != nil }

    // MARK: For the transfer

    func start() { content.withLock { $0.load }?.start() }

    /// Ends the load. What it tells afterwards is ignored.
    ///
    /// - Returns: Whether this has closed the transaction. Otherwise it was over before.
    @discardableResult
    func stop() -> Bool {
        let (wasOver, load) = content.withLock { ($0.phase == .over, $0.endLoad(as: .over)) }
        load?.stop()
        return !wasOver
    }

    var mayBeFollowed: Bool { content.withLock { $0.phase != .over } }
    var response: URLResponse? { content.withLock { $0.presentResponse } }
    var isWithheld: Bool { content.withLock { $0.received.isWithheld } }

    /// What the caller's task shows while this transaction is the latest one.
    var shown: ShownTask {
        content.withLock { content in
            ShownTask(
                request: request, response: content.presentResponse,
                sent: content.presentSentCount, expectedToSend: content.presentExpectedToSend,
                received: content.received.count, wholeCount: content.received.wholeCount)
        }
    }

    /// FoundationNetworking tells nobody that the timeout of a request fires after its redirect. It gives the redirect to its task as the
    /// response.
    func checkTimeout(after cause: Cause) throws {
        guard case .redirect(let redirect, to: nil) = cause, response === redirect else { return }
        throw URLError(.timedOut, at: redirect.url)
    }

    /// What the request ends with if no other one follows.
    func outcome(after cause: Cause) -> TaskOutcome {
        switch cause {
        case .challenge(let challenge): outcome(of: challenge.failureResponse)
        case .redirect(let response, _): outcome(of: response)
        case .lostConnection, .lostFile: TaskOutcome(error: URLError(.networkConnectionLost, at: request.url))
        }
    }

    /// What a handler is given at the end.
    ///
    /// - Parameters:
    ///   - head: The response if the load has none: FoundationNetworking tells apart what redirects or challenges.
    ///   - error: Why not all of the response is there.
    /// - Returns: The outcome.
    func outcome(of head: URLResponse? = nil, with error: (any Error)? = nil) -> TaskOutcome {
        let (data, response) = content.withLock { ($0.received.data, head ?? $0.presentResponse) }
        guard prepared.kind.isDownload else { return TaskOutcome(data: data, response: response, error: error) }
        guard error == nil else { return TaskOutcome(response: response, error: error) }
        do {
            let file = try content.withLock { try $0.received.fileToWrite().url }
            return TaskOutcome(file: file, response: response)
        } catch {
            return TaskOutcome(response: response, error: error)
        }
    }

    // MARK: The head

    typealias InTurn = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - head: The head of a response.
    ///   - inTurn: A function that calls another one before the load tells anything else, or between two things that it tells.
    func receive(_ head: URLResponse, inTurn: @escaping InTurn) {
        guard hasProxy else { return accept(head, inTurn: inTurn) }
        // Workaround: headOfProxy
        let load = content.withLock { $0.proxyHeads.mayBeProxy ? $0.load : nil }
        if let code = load?.statusCodeOfServer, code == (head as? HTTPURLResponse)?.statusCode {
            settleSender { _ in false }
        }
        let isKeptBack = content.withLock { $0.proxyHeads.keepBack(head, inTurn) }
        if !isKeptBack { accept(head, inTurn: inTurn) }
    }

    /// More has come than the head that was kept back, if one was.
    private func settleSender(_ isServers: (URLResponse) -> Bool) {
        guard hasProxy, let kept = content.withLock({ $0.proxyHeads.settle(isServers) }) else { return }
        accept(kept.head, inTurn: kept.inTurn)
    }

    /// Takes the head of the server's response.
    private func accept(_ head: URLResponse, inTurn: @escaping InTurn) {
        guard head.isFinal, content.withLock({ $0.accept(head) }) else { return }
        // The body may last for hours, and other requests of the session have the cookies meanwhile.
        transfer.cookies.store(from: head, to: prepared)
        if let resumeData = prepared.kind.resumeData, let head = head as? HTTPURLResponse {
            // A head that comes later changes nothing: resume data may have the kept file by then.
            let isFileGone = content.withLock { $0.counts && !$0.received.continueFile(of: resumeData, with: head) }
            if isFileGone, prepared.asksForRest { return replace(because: .lostFile) }
        }
        guard isStream else { return }
        if head.mayLeadToAnotherRequest { holdBack(head, inTurn: inTurn) } else { give(head) }
    }

    /// FoundationNetworking says only when the body is whole that a response challenges, and that may be never.
    private func holdBack(_ head: URLResponse, inTurn: @escaping InTurn) {
        // Workaround: lateChallenge
        // Unless the stream has begun: a `URLProtocol` may give several heads.
        content.withLock { if $0.received.headState == .missing { $0.received.headState = .heldBack } }
        transfer.dependencies.callLater(longestWaitForErrorBody) { [weak self] in
            guard let self else { return }
            inTurn {
                guard self.content.withLock({ $0.phase == .open }) else { return }
                self.give(head)
                self.transfer.receiver?.patienceIsOver(with: self.task)
            }
        }
    }

    /// Gives the receiver of a stream the head and what was held back, once.
    func give(_ head: URLResponse) {
        guard let receiver = transfer.receiver, let body = content.withLock({ $0.received.takeHeldBack() }) else {
            return
        }
        receiver.receive(head, of: task, isTimed: head.mayLeadToAnotherRequest)
        if !body.isEmpty { receiver.receive(body, of: task) }
    }

    // MARK: The body

    /// How many bytes of a stream's response are held back.
    private static let mostHeldBack = 1024 * 1024

    func receive(_ data: Data) {
        settleSender { _ in true }
        do {
            // What arrives after the load was stopped is not kept, because its server may go on for long.
            switch try content.withLock({ $0.counts ? try $0.received.keep(data) : nil }) {
            case .counted(let count):
                transfer.count(count, of: content.withLock { $0.expectedCount }, ofRequest: false)
            case .withheld:
                transfer.progress.update(from: transfer)
            case .heldBack(let count):
                if count >= Self.mostHeldBack, let head = response { give(head) }
            case .passedOn:
                transfer.receiver?.receive(data, of: task)
            case nil:
                break
            }
        } catch {
            end(as: TaskOutcome(response: response, error: error))
        }
    }

    func sent(_ count: Int64) {
        guard content.withLock({ $0.counts }) else { return }
        transfer.count(count, of: content.withLock { $0.presentExpectedToSend }, ofRequest: true)
    }

    // MARK: What may follow

    func challenged(by challenge: URLAuthenticationChallenge) {
        settleSender { $0 === challenge.failureResponse }
        ask(because: .challenge(challenge))
    }

    func redirected(by response: HTTPURLResponse, to request: URLRequest?) {
        // Nobody has announced it.
        settleSender { _ in false }
        ask(because: .redirect(response, to: request))
    }

    /// Asks the transfer whether another request follows. A stream that has begun with the response goes no further.
    private func ask(because cause: Cause) {
        let hasBegun: Bool? = content.withLock { content in
            guard content.phase == .open else { return nil }
            guard content.received.headState != .given else { return true }
            content.received.headState = .judged
            content.phase = .asking
            return false
        }
        guard let hasBegun else { return }
        if case .redirect(let response, _) = cause { transfer.cookies.store(from: response, to: prepared) }
        if hasBegun { end(as: outcome(after: cause)) } else { transfer.askWhatFollows(self, because: cause) }
    }

    /// Ends the load, because another request may take its place.
    private func replace(because cause: Cause) {
        guard let load = content.withLock({ $0.phase == .open ? $0.endLoad(as: .replaceable) : nil }) else { return }
        load.stop()
        transfer.askWhatFollows(self, because: cause)
    }

    /// The server has closed a connection that was kept, without an answer. libcurl sends the request again, but
    /// FoundationNetworking cannot rewind a body. So the load gets none, and another transaction is for the next attempt.
    func connectionIsLost(_ completionHandler: @escaping @Sendable (InputStream?) -> Void) {
        let isStreamed = content.withLock { $0.isStreamed }
        // Workaround: keptConnection
        replace(because: .lostConnection)
        completionHandler(isStreamed ? UnreadableStream(data: Data()) : nil)
    }

    // MARK: The end

    /// The load is over.
    func ended(with error: (any Error)?) {
        if hasProxy {
            let latest = content.withLock { $0.load?.response }
            settleSender { error == nil && $0 === latest }
        }
        guard
            let (load, wrongLength) = content.withLock({ content in
                content.counts ? (content.endLoad(as: .over), content.received.wrongLength) : nil
            })
        else { return }
        let outcome = outcome(with: (load as? StreamedUpload)?.failure ?? error ?? wrongLength)
        if let head = outcome.response, head.isUnannounced { transfer.cookies.store(from: head, to: prepared) }
        transfer.end(with: outcome, isLoaded: true)
    }

    /// Ends the transfer while the load goes on, which the transfer stops.
    private func end(as outcome: TaskOutcome) {
        let isFirst = content.withLock { content in
            guard content.counts else { return false }
            content.phase = .over
            return true
        }
        if isFirst { transfer.end(with: outcome) }
    }
}

/// FoundationNetworking would send a request without a body if there were no stream.
private final class UnreadableStream: InputStream {
    override var hasBytesAvailable: Bool { true }
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { -1 }
}

#endif
