#if canImport(FoundationNetworking)

import Foundation

/// One request on its way: what URLSession's metrics call a transaction.
///
/// Its load tells it events: on the event loop, on the queue of a download, or on the thread of a `URLProtocol` of the caller. Its
/// lifecycle says which of them count, and what follows. It tells the transfer the counts of bytes, and once how it ends: with an
/// outcome, or with the reason why another request may follow.
final class Transaction: NSObject, Sendable {
    /// Why another request may follow.
    enum Cause: Sendable {
        /// Each can be answered. The strongest is the first.
        case challenges([URLAuthenticationChallenge])

        /// A proxy has refused a tunnel, because it wants a credential. Its answer is not the response of the request.
        case refusedTunnel([URLAuthenticationChallenge], any Error)

        /// With the next request if a `URLProtocol` of the caller has made it.
        case redirect(HTTPURLResponse, to: URLRequest?)

        /// The server has closed a connection that was kept, without an answer.
        case lostConnection

        /// The kept file of a download is gone, so that nothing can be put behind it.
        case lostFile

        /// What the caller gets if no other request follows.
        var response: URLResponse? {
            switch self {
            case .challenges(let challenges): challenges.first?.failureResponse
            case .redirect(let response, _): response
            case .refusedTunnel, .lostConnection, .lostFile: nil
            }
        }

        /// What the caller gets if there is no response.
        func error(at url: URL?) -> (any Error)? {
            switch self {
            case .challenges, .redirect: nil
            case .refusedTunnel(_, let error): error
            case .lostConnection, .lostFile: URLError(.networkConnectionLost, at: url)
            }
        }
    }

    let prepared: PreparedRequest

    /// The caller's task.
    let task: URLSessionTask
    private let transfer: Transfer

    /// Guards what has arrived: the load tells it while the caller looks at it, stops the load or removes the file. The lock of a load is
    /// taken under it, never the other way round.
    let state: Locked<TransactionLifecycle>

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
        state = Locked(TransactionLifecycle(of: prepared, isStream: transfer.receiver != nil))
        super.init()
        let load = try transfer.dependencies.makeLoad(loader, completed, self)
        state.withLock { $0.begin(load) }
    }

    var request: URLRequest { prepared.request }
    var configuration: URLSessionConfiguration { transfer.configuration }
    var callersSession: URLSession { transfer.session }
    var isStream: Bool { transfer.receiver != nil }
    var collectsMetrics: Bool { transfer.metrics != nil }
    var metrics: TransactionMetrics? { state.withLock { $0.metrics } }

    // MARK: For the transfer

    func start() { state.withLock { $0.load }?.start() }

    /// Ends the load. What it tells afterwards is ignored.
    ///
    /// - Returns: Whether this has closed the transaction. Otherwise it was over before.
    @discardableResult
    func stop() -> Bool {
        let (load, isClosed) = state.withLock { $0.stop() }
        load?.stop()
        return isClosed
    }

    func setReceivingPaused(_ isPaused: Bool) { state.withLock { $0.load }?.setReceivingPaused(isPaused) }

    /// Removes the file of a download, unless it was moved.
    func removeFile() {
        guard let file = state.withLock({ $0.received.removeFile() }) else { return }
        try? FileManager.default.removeItem(at: file)
    }

    /// Gives the receiver of a stream the head, unless it has it.
    func give(_ head: URLResponse) { perform(state.withLock { $0.give(head) }) }

    /// Whether a delegate is asked.
    var isAsking: Bool { state.withLock { $0.isAsking } }
    var mayBeFollowed: Bool { state.withLock { $0.mayBeFollowed } }
    var isWithheld: Bool { state.withLock { $0.received.isWithheld } }

    /// What the caller's task shows while this transaction is the latest one.
    var shown: ShownTask {
        state.withLock { state in
            ShownTask(
                request: request, response: state.response, sent: state.sentCount, expectedToSend: state.expectedToSend,
                received: state.received.count, wholeCount: state.received.wholeCount)
        }
    }

    /// Keeps the response, because no other request follows. This runs between two events of the load.
    func keepResponse(of cause: Cause) {
        let betweenEvents = state.withLock { $0.betweenEvents } ?? { $0() }
        betweenEvents { self.perform(self.state.withLock { $0.keepResponse(of: cause) }) }
    }

    // MARK: What the load tells

    /// Calls a function where a load tells its events, between two of them. A timer or the answer of a delegate, which come on other
    /// threads, change a transaction there.
    typealias BetweenEvents = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// The load knows the `Set-Cookie` fields of the response, whose head is told next.
    func receive(cookieFields: [String]) { state.withLock { $0.cookieFields = cookieFields } }

    /// libcurl answers a response itself, which nobody else gets.
    func answersItself(_ response: HTTPURLResponse, cookieFields: [String]) {
        guard state.withLock({ $0.counts }) else { return }
        transfer.cookies.store(from: response, cookieFields, to: prepared)
    }

    /// - Parameters:
    ///   - head: The head of a response.
    ///   - betweenEvents: Calls a function between two events of the load.
    func receive(_ head: URLResponse, betweenEvents: @escaping BetweenEvents) {
        perform(state.withLock { $0.receive(head, betweenEvents: betweenEvents) })
    }

    func receive(_ data: Data) { perform(state.withLock { $0.receive(data) }) }

    func sent(_ count: Int64) {
        guard state.withLock({ $0.counts }) else { return }
        transfer.count(count, of: state.withLock { $0.expectedToSend }, ofRequest: true)
    }

    func challenged(by challenges: [URLAuthenticationChallenge]) {
        perform(state.withLock { $0.ask(because: .challenges(challenges), betweenEvents: nil) })
    }

    /// A proxy has refused a tunnel, and offers to ask for a credential.
    func challenged(by challenges: [URLAuthenticationChallenge], orEndWith error: any Error) {
        perform(state.withLock { $0.ask(because: .refusedTunnel(challenges, error), betweenEvents: nil) })
    }

    /// - Parameters:
    ///   - response: A response that redirects.
    ///   - request: The next request if a `URLProtocol` of the caller has made it.
    ///   - betweenEvents: Calls a function between two events of the load. Nil if it tells nothing more, except for a failure.
    func redirected(by response: HTTPURLResponse, to request: URLRequest? = nil, betweenEvents: BetweenEvents? = nil) {
        perform(state.withLock { $0.ask(because: .redirect(response, to: request), betweenEvents: betweenEvents) })
    }

    /// The server has closed a connection that was kept, without an answer, and has got a part of a body that cannot be read again. libcurl
    /// repeats other requests itself. This one is repeated with a new body stream (`Transfer.renewStream`).
    func connectionIsLost() { perform(state.withLock { $0.ask(because: .lostConnection, betweenEvents: nil) }) }

    /// The load is over.
    func ended(with error: (any Error)?) { perform(state.withLock { $0.end(with: error) }) }

    // MARK: What follows

    private func perform(_ actions: [TransactionLifecycle.Action]) { actions.forEach(perform) }

    private func perform(_ action: TransactionLifecycle.Action?) {
        switch action {
        case .storeCookies(let head):
            transfer.cookies.store(from: head, state.withLock { $0.cookieFields }, to: prepared)
        case .give(let head, let body, let isTimed):
            guard let receiver = transfer.receiver else { break }
            receiver.receive(head, of: task, isTimed: isTimed)
            if !body.isEmpty { receiver.receive(body, of: task) }
        case .pass(let data):
            transfer.receiver?.receive(data, of: task)
        case .write(let data, let wereHeldBack):
            write(data, wereHeldBack: wereHeldBack)
        case .setReceivingPaused(let isPaused):
            setReceivingPaused(isPaused)
        case .endPatience:
            transfer.receiver?.patienceIsOver(with: task)
        case .count(let count):
            transfer.count(count, of: state.withLock { $0.expectedCount }, ofRequest: false)
        case .showProgress:
            transfer.progress.update(from: transfer)
        case .replace(let load, let cause):
            load.stop()
            transfer.askWhatFollows(self, because: cause)
        case .ask(let cause):
            transfer.askWhatFollows(self, because: cause)
        case .end(let outcome, let endedByLoad):
            transfer.end(with: outcome, byLoad: endedByLoad)
        case .endDownload(let response, let heldBack, let endedByLoad):
            transfer.end(with: download(response, heldBack: heldBack), byLoad: endedByLoad)
        case .waitForBody(let head, let betweenEvents):
            waitForBody(after: head, betweenEvents: betweenEvents)
        case nil:
            break
        }
    }

    // MARK: The file of a download

    /// Writes without the lock: a disk may be slow. Loads tell their events one after the other, and so bytes are written in order.
    private func write(_ data: Data, wereHeldBack: Bool) {
        do {
            try fileToWrite().append(data)
            if !wereHeldBack { perform(state.withLock { $0.wrote(data.count) }) }
        } catch {
            perform(state.withLock { $0.failed(with: error) })
        }
    }

    /// What a download ends with when all of it has come.
    private func download(_ response: URLResponse?, heldBack: Data) -> TaskOutcome {
        do {
            let file = try fileToWrite()
            if !heldBack.isEmpty { try file.append(heldBack) }
            return TaskOutcome(file: file.url, response: response)
        } catch {
            return TaskOutcome(response: response, error: error)
        }
    }

    /// The file, which is made if there is none.
    private func fileToWrite() throws -> DownloadedFile {
        if let file = try state.withLock({ try $0.received.fileToWrite() }) { return file }
        let file = try transfer.dependencies.makeFile()
        guard state.withLock({ $0.received.begin(file) }) else {
            try? FileManager.default.removeItem(at: file.url)
            throw URLError(.cancelled)
        }
        return file
    }

    /// FoundationNetworking tells a challenge only when the whole body has come, which may be never.
    private func waitForBody(after head: URLResponse, betweenEvents: @escaping BetweenEvents) {
        // Workaround: lateChallenge
        transfer.dependencies.callLater(longestWaitForErrorBody) { [weak self] in
            guard let self else { return }
            betweenEvents { self.perform(self.state.withLock { $0.endPatience(with: head) }) }
        }
    }
}

#endif
