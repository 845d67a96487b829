#if canImport(FoundationNetworking)

import Foundation

/// What is sent first, and what after a redirect, a challenge or a lost connection.
extension Transfer {
    /// Sends a request by a new transaction.
    ///
    /// - Parameters:
    ///   - prepared: The request.
    ///   - last: The transaction that it follows. Nothing is sent if that one has ended meanwhile: the transfer has, too.
    ///   - task: The caller's task.
    func send(_ prepared: PreparedRequest, after last: Transaction? = nil, for task: URLSessionTask) {
        if let last {
            guard last.stop() else { return }
            if kind.isDownload { last.removeFile() }
        }
        endingWithError {
            // FoundationNetworking crashes if a request without a URL is changed.
            guard let url = prepared.request.url else { throw URLError(.unsupportedURL, at: nil) }
            var prepared = prepared
            cookies.add(to: &prepared)
            let timeout = prepared.request.timeout(sessionTimeout: configuration.timeoutIntervalForRequest)
            do {
                prepared.kind = try prepared.kind.opened(waitingUpTo: timeout)
            } catch let error as URLError {
                throw URLError(error.code, at: url)
            }
            let request = prepared.completed(by: configuration)
            dependencies.findLoader(request, configuration) { [self, prepared] loader in
                endingWithError {
                    let loader = try loader.orCache(of: configuration, for: request, prepared.kind)
                    let next = try Transaction(
                        sending: prepared.sent(by: loader), as: request, by: loader, for: self, task)
                    guard state.withLock({ $0.begin(next) }) else { return _ = next.stop() }
                    // The listed task is resumed before the first load is started: the end of the load takes it from the session.
                    if last == nil { listedTask?.resume() }
                    next.start()
                }
            }
        }
    }

    /// Calls a function. What it throws ends the transfer.
    func endingWithError(_ body: () throws -> Void) {
        do { try body() } catch { end(with: TaskOutcome(error: error)) }
    }

    // MARK: What follows a transaction

    /// Decides whether another request follows a transaction. If none does, the response is kept. A delegate is asked on its queue,
    /// when the cookies of the response are stored.
    func askWhatFollows(_ transaction: Transaction, because cause: Transaction.Cause) {
        session.delegateQueue.addWork { [self] in
            cookies.waitUntilStored()
            guard transaction.mayBeFollowed else { return }
            switch cause {
            case .challenges(let challenges), .refusedTunnel(let challenges, _):
                decide(about: challenges[...], of: transaction, cause)
            case .redirect(let response, let request): decide(about: response, to: request, of: transaction, cause)
            case .lostConnection: sendNextRequest(after: transaction, cause) { transaction.prepared.repeated }
            case .lostFile: sendNextRequest(after: transaction, cause) { transaction.prepared.forWhole }
            }
        }
    }

    private func decide(
        about challenges: ArraySlice<URLAuthenticationChallenge>, of transaction: Transaction,
        _ cause: Transaction.Cause
    ) {
        // Workaround: unansweredChallenge
        guard
            let challenge = challenges.first.map({
                Challenge($0, to: transaction.prepared, storage: configuration.urlCredentialStorage)
            }), challenge.mayBeAnswered
        else { return transaction.keepResponse(of: cause) }
        let others = challenges.dropFirst()
        delegates.decide(about: challenge, of: transaction.task, while: { transaction.mayBeFollowed }) {
            [self] disposition, credential in
            guard disposition == .rejectProtectionSpace, !others.isEmpty else {
                return sendNextRequest(after: transaction, cause) { try challenge.next(disposition, credential) }
            }
            session.delegateQueue.addWork { [self] in
                if transaction.mayBeFollowed { decide(about: others, of: transaction, cause) }
            }
        }
    }

    // `request` is the next one if a `URLProtocol` of the caller has made it.
    private func decide(
        about response: HTTPURLResponse, to request: URLRequest?, of transaction: Transaction,
        _ cause: Transaction.Cause
    ) {
        // Workaround: redirectAfterChallenge
        for used in transaction.prepared.usedCredentials {
            used.store(in: configuration.urlCredentialStorage, after: response)
        }
        endingWithError {
            let redirect = try Redirect(
                response, of: transaction.prepared, to: request, configuration: configuration, adding: cookies,
                keeping: redirectedFields)
            guard let redirect else { return transaction.keepResponse(of: cause) }
            delegates.decide(about: redirect, of: transaction.task, while: { transaction.mayBeFollowed }) { answer in
                self.sendNextRequest(after: transaction, cause) { try redirect.next(answer) }
            }
        }
    }

    /// Sends the next request, or goes on with the response if there is none.
    private func sendNextRequest(
        after transaction: Transaction, _ cause: Transaction.Cause, with next: () throws -> PreparedRequest?
    ) {
        endingWithError {
            guard let next = try next() else { return transaction.keepResponse(of: cause) }
            guard next.repeatsStream(of: transaction.prepared) else {
                return send(next, after: transaction, for: transaction.task)
            }
            renewStream(of: next, after: transaction, cause)
        }
    }
}

#endif
