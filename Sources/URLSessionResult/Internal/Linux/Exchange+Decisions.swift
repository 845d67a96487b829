#if canImport(FoundationNetworking)

import Foundation

/// What FoundationNetworking asks about a response. It gets no answer that makes it send a request.
extension Exchange: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        stream?.taskIsChallenged()
        guard stream?.isStreaming != true else {
            // The caller accepts a 401 and has read it.
            return end(task, with: TaskOutcome(data: Data(), response: challenge.failureResponse))
        }
        self.session.delegateQueue.addOperation { self.decide(about: challenge, of: task) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection redirect: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        self.session.delegateQueue.addOperation { self.decide(about: redirect, of: task) }
    }

    /// FoundationNetworking sends a body stream again when a connection breaks at the wrong moment.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let callersTask = state.withLock { $0.callersTask } ?? task
        delegate.urlSession(self.session, task: callersTask, needNewBodyStream: completionHandler)
    }

    /// Ends a request for a malformed `data` URL. FoundationNetworking only tells the delegate of the task that it failed
    /// (`_DataURLProtocol.startLoading()`). It tells nobody else, and the task goes on for ever.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // This is the work queue.
        session.delegateQueue.addOperation {
            self.end(task, with: .failure(.badURL, at: task.originalRequest?.url))
        }
    }
}

/// The decisions about responses that ask for another request. The delegate of the session is asked, on its queue, with the
/// caller's task.
extension Exchange {
    private func decide(about challenge: URLAuthenticationChallenge, of task: URLSessionTask) {
        storeCookies(of: challenge.failureResponse)
        guard let callersTask = state.withLock({ $0.ask(about: task) }) else { return }
        let challenge = challenge.afterFailures(
            state.withLock { $0.countChallenge() }, proposing: configuration.urlCredentialStorage)
        let request = withStoredCookies(latestRequest(of: task))
        delegate.urlSession(session, task: callersTask, didReceive: challenge) { [self] disposition, credential in
            let (kind, hop) = state.withLock { ($0.kind, $0.hop) }
            let step = NextStep(
                after: challenge, to: request, received: hop?.outcome(with: nil), disposition: disposition,
                credential: credential, kind: kind, configuration: configuration)
            take(step, after: task)
        }
    }

    private func decide(about redirect: HTTPURLResponse, of task: URLSessionTask) {
        storeCookies(of: redirect)
        guard let callersTask = state.withLock({ $0.ask(about: task) }) else { return }
        guard state.withLock({ $0.countRedirect() }) else {
            return end(task, with: .failure(.httpTooManyRedirects, at: redirect.url))
        }
        let request = withoutStoredCookies(latestRequest(of: task))
        guard let next = request.redirected(by: redirect, configuration: configuration) else {
            return end(task, with: TaskOutcome(data: Data(), response: redirect))
        }
        delegate.urlSession(
            session, task: callersTask, willPerformHTTPRedirection: redirect, newRequest: withStoredCookies(next)
        ) { [self] request in
            // FoundationNetworking gives a redirect to its task as the response when the timeout fires.
            let step = NextStep(
                after: redirect, to: request, hasTimedOut: task.response === redirect,
                kind: state.withLock { $0.kind }, configuration: configuration)
            take(step, after: task)
        }
    }

    /// Goes on as decided. A delegate that decides twice is heard once, and a task that was cancelled ends by itself.
    private func take(_ step: NextStep, after task: URLSessionTask) {
        guard let callersTask = state.withLock({ $0.decide(about: task) }), callersTask.isUnderWay else { return }
        switch step {
        case .send(let request, let kind):
            send(request, with: kind)
        case .renewStream(let request, let kind, let outcome):
            delegate.urlSession(
                session, task: callersTask,
                needNewBodyStream: { [self] stream in
                    guard let stream else { return end(task, with: outcome) }
                    var request = request
                    request.httpBodyStream = stream
                    send(request, with: kind)
                })
        case .end(let outcome):
            end(task, with: outcome)
        }
    }

    private var delegate: any URLSessionTaskDelegate { state.withLock { $0.delegate } }

    private func latestRequest(of task: URLSessionTask) -> URLRequest {
        state.withLock { $0.hop(of: task) }?.request ?? task.currentRequest ?? request
    }

    /// The request with the stored cookies that are for it now, in place of those that the one before was sent with.
    func withStoredCookies(_ request: URLRequest) -> URLRequest {
        var request = withoutStoredCookies(request)
        let cookies = configuration.storedCookies(ofHostOf: request).sent(with: request)
        request.setCookies(cookies)
        let cookieField = cookies.isEmpty ? nil : request.value(forHTTPHeaderField: "Cookie")
        state.withLock { $0.storedCookieField = cookieField }
        return request
    }

    private func withoutStoredCookies(_ request: URLRequest) -> URLRequest {
        guard let cookieField = state.withLock({ $0.storedCookieField }),
            request.value(forHTTPHeaderField: "Cookie") == cookieField
        else { return request }
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        return request
    }
}

extension URLSessionTask {
    /// Whether the task was neither cancelled nor completed.
    fileprivate var isUnderWay: Bool { state == .running || state == .suspended }
}

// Workaround: `URLSession` never completes a task after a 401 that no credential answers
// Instead: the library gives a `serverError` at once, from 6.3.2 on with the body
// Kind: hang
// Needed by: Swift 6.2 to 6.3.1
// Shown by: WorkaroundTests.unansweredChallenge
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5456
// May go: the second operation of `end(_:in:with:leaving:to:)`
//
// Workaround: `URLSession` never completes a task for a malformed `data` URL
// Instead: the library fails with `URLError.badURL`
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.malformedDataURL
// Upstream: not reported
// May go: `urlSession(_:task:didCompleteWithError:)`

#endif
