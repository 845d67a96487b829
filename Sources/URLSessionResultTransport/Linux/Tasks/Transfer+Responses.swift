#if canImport(FoundationNetworking)

import Foundation

/// The transactions of a transfer, and what arrives for them: on the work queue, or on any thread if a `URLProtocol` of the
/// caller answers.
extension Transfer {
    /// Sends a request by a new transaction.
    private func send(_ prepared: PreparedRequest, as request: URLRequest, by loader: Loader) throws {
        // Workaround: redirectOverHTTP2
        let transaction = try Transaction(sending: prepared.sent(by: loader), as: request, by: loader, for: self)
        switch state.withLock({ $0.begin(transaction) }) {
        case .start(let last):
            last?.stop()
            last?.removeFile()
            // Before the first transaction, whose start keeps the work queue busy.
            if last == nil { listedTask?.resume() }
            transaction.start()
        case .drop:
            transaction.stop()
        }
    }

    func send(_ prepared: PreparedRequest) {
        // FoundationNetworking crashes if such a request is changed.
        guard prepared.request.url != nil else { return end(with: .failure(.unsupportedURL, at: nil)) }
        var prepared = prepared
        cookies.add(to: &prepared)
        do {
            let timeout = prepared.request.wholeTimeout(sessionTimeout: configuration.timeoutIntervalForRequest)
            prepared.kind = try prepared.kind.opened(waitingUpTo: timeout)
        } catch let error as URLError {
            return end(with: .failure(error.code, at: prepared.request.url))
        } catch {
            return end(with: TaskOutcome(error: error))
        }
        let request = prepared.request.completed(by: configuration)
        dependencies.findLoader(request, configuration) { [self, prepared] loader in
            do {
                try send(prepared, as: request, by: loader)
            } catch {
                end(with: TaskOutcome(error: error))
            }
        }
    }

    // MARK: Responses

    /// - Parameters:
    ///   - head: The head of a response.
    ///   - transaction: The transaction that receives it.
    ///   - inTurn: A function that calls another one before the load tells anything else, or between two things that it tells.
    func receive(_ head: URLResponse, of transaction: Transaction, inTurn: @escaping Transaction.Turn) {
        guard let task = callersTask(of: transaction), head.isFinal else { return }
        // The body may last for hours, and other requests of the session have the cookies meanwhile.
        cookies.store(from: head, to: transaction.prepared)
        guard receiver != nil else { return }
        guard head.mayLeadToAnotherRequest else { return give(head, of: transaction, to: task) }
        // FoundationNetworking says so only when the body is whole, which may be never.
        // Workaround: lateChallenge
        transaction.holdBack()
        dependencies.callLater(longestWaitForErrorBody) { [weak self, weak transaction] in
            guard let self, let transaction else { return }
            inTurn {
                guard transaction.isHeldBack, let task = self.callersTask(of: transaction) else { return }
                self.give(head, of: transaction, to: task)
                self.receiver?.patienceIsOver(with: task)
            }
        }
    }

    /// How many bytes of a stream's response are held back.
    private static let mostHeldBack = 1024 * 1024

    /// Gives the receiver of a stream the head and what was held back, once for each transaction.
    func give(_ head: URLResponse, of transaction: Transaction, to task: URLSessionTask) {
        guard let receiver, let body = transaction.giveHead() else { return }
        receiver.receive(head, of: task)
        if !body.isEmpty { receiver.receive(body, of: task) }
    }

    func receive(_ data: Data, kept: Transaction.Kept, of transaction: Transaction) {
        guard let receiver else {
            // They count when no other request follows, which `deliver()` knows.
            if transaction.response?.mayLeadToAnotherRequest == true { return progress.update(from: self) }
            return count(kept.count, of: transaction.expectedCount, ofRequest: false, by: transaction)
        }
        guard let task = callersTask(of: transaction) else { return }
        guard let heldBackCount = kept.heldBackCount else { return receiver.receive(data, of: task) }
        if heldBackCount >= Self.mostHeldBack, let head = transaction.response { give(head, of: transaction, to: task) }
    }

    /// Counts bytes, and reports them if the caller asked for it.
    ///
    /// A body that is sent again, after a redirect or a challenge, counts from zero. The reports never shrink: they go on
    /// where the first attempt has got to.
    func count(
        _ count: Int64, of total: @autoclosure () -> Int64, ofRequest isRequest: Bool, by transaction: Transaction
    ) {
        progress.update(from: self)
        guard let counter = state.withLock({ $0.counter(for: transaction, ofRequest: isRequest) }),
            let report = counter(count, total())
        else { return }
        session.delegateQueue.addOperation(report)
    }

    func callersTask(of transaction: Transaction) -> URLSessionTask? {
        state.withLock { $0.callersTask(of: transaction) }
    }

    // MARK: Decisions

    /// A response challenges the client. The delegate decides on its queue.
    func decide(about challenge: URLAuthenticationChallenge, of transaction: Transaction) {
        judge(challenge.failureResponse, of: transaction) { [self] in
            // Workaround: unansweredChallenge
            guard let question = state.withLock({ $0.challenge(by: transaction) }) else { return }
            let challenge = Challenge(
                challenge, to: transaction.prepared, refusedCredentials: question.count,
                storage: configuration.urlCredentialStorage)
            // A delegate may answer with the same one each time.
            guard question.count < Challenge.mostRefusedCredentials else {
                return end(transaction, with: transaction.outcome(of: challenge.shown.failureResponse))
            }
            delegates.decide(about: challenge, of: question.task) { disposition, credential in
                let step = challenge.nextStep(
                    disposition, credential, orEndWith: transaction.outcome(of: challenge.shown.failureResponse))
                self.take(step, after: transaction)
            }
        }
    }

    /// A response redirects to another URL. The delegate decides on its queue.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The next request if a `URLProtocol` of the caller has made it.
    ///   - transaction: The transaction that received the response.
    func decide(about response: HTTPURLResponse, to request: URLRequest?, of transaction: Transaction) {
        cookies.store(from: response, to: transaction.prepared)
        judge(response, of: transaction) { [self] in
            // Workaround: redirectAfterChallenge
            guard let question = state.withLock({ $0.redirect(by: transaction) }) else { return }
            transaction.prepared.usedCredential?.store(in: configuration.urlCredentialStorage, after: response)
            guard question.count < URLRequest.mostRedirects else {
                return end(with: .failure(.httpTooManyRedirects, at: response.url))
            }
            guard
                let redirect = Redirect(
                    response, of: transaction.prepared, to: request, configuration: configuration, adding: cookies,
                    keeping: redirectedFields)
            else {
                return end(transaction, with: transaction.outcome(of: response))
            }
            delegates.decide(about: redirect, of: question.task) { answer in
                // FoundationNetworking gives a redirect to its task as the response when the timeout fires.
                let hasTimedOut = request == nil && transaction.response === response
                let step = redirect.nextStep(
                    answer, hasTimedOut: hasTimedOut, orEndWith: transaction.outcome(of: response))
                self.take(step, after: transaction)
            }
        }
    }

    /// Calls a function on the delegate queue, when the cookies are stored. A stream that has begun with the response goes no
    /// further.
    private func judge(
        _ response: URLResponse?, of transaction: Transaction, _ ask: @escaping @Sendable () -> Void
    ) {
        guard transaction.judgeHead() else { return end(transaction, with: TaskOutcome(response: response)) }
        session.delegateQueue.addWork { [self] in
            cookies.waitUntilStored()
            ask()
        }
    }

    /// Goes on as decided. The first answer of a delegate counts.
    private func take(_ step: NextStep, after transaction: Transaction) {
        // Workaround: cancelledRedirect
        // Workaround: cancelledChallenge
        guard let task = state.withLock({ $0.decide(about: transaction) }) else { return }
        follow(step, for: task)
    }

    /// Sends the request of a transaction again, if the method allows that, because the server may have acted on it.
    func repeatRequest(of transaction: Transaction) {
        let failure = TaskOutcome.failure(.networkConnectionLost, at: transaction.request.url)
        follow(NextStep(sending: transaction.prepared.repeated, orEndWith: failure), inPlaceOf: transaction)
    }

    /// Requests the whole of a download whose kept file is gone, because nothing can be put behind it.
    func beginAnew(after transaction: Transaction) {
        follow(.send(transaction.prepared.forWhole), inPlaceOf: transaction)
    }

    private func follow(_ step: NextStep, inPlaceOf transaction: Transaction) {
        guard let task = state.withLock({ $0.sendAgain(transaction) }) else { return }
        transaction.stop()
        session.delegateQueue.addWork { [self] in follow(step, for: task) }
    }

    private func follow(_ step: NextStep, for task: URLSessionTask) {
        switch step {
        case .send(let prepared):
            send(prepared)
        case .renewStream(let prepared, let outcome):
            // This may be the answer to another question, on any thread, and the delegate may hold a lock while it answers.
            session.delegateQueue.addWork { [self] in
                delegates.renewStream(of: task) { [self] stream in
                    guard let stream else { return end(with: outcome) }
                    var prepared = prepared
                    prepared.request.httpBodyStream = stream
                    send(prepared)
                }
            }
        case .end(let outcome):
            end(with: outcome)
        }
    }
}

#endif
