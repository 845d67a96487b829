#if canImport(FoundationNetworking)

import Foundation

/// The tasks that send a request instead of the caller's, and what arrives for them, on the queue of the inner session.
extension Exchange {
    /// Sends a request with a new task.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - kind: The kind of the task.
    func send(_ request: URLRequest, with kind: TaskKind) {
        stream?.restart()
        let loader = configuration.loader(of: request)
        let innerSession = InnerSession.beginTransfer(
            of: session, with: configuration, loader: loader, isStream: stream != nil)
        do {
            let request = withStoredCookies(request)
            let next = try kind.makeTask(for: request.completed(by: configuration), in: innerSession)
            next.delegate = self
            let dropped = state.withLock { state in
                state.expectNewCookies()
                return state.run(next, sending: request, of: kind)
            }
            if dropped !== next { next.resume() }
            dropped?.cancelSoon()
        } catch {
            InnerSession.transferHasEnded(in: innerSession)
            end(soonWith: TaskOutcome(error: error))
        }
    }

    func receive(_ head: URLResponse, of task: URLSessionTask) {
        guard hop(of: task) != nil else { return }
        // The body may last for hours, and other requests of the session have the cookies meanwhile.
        if head.isFinal { storeCookies(of: head) }
        if let request = task.originalRequest, let body = request.httpBody, configuration.loader(of: request) != .http {
            // A `URLProtocol` of the caller does not tell what it sends.
            report(body.length, of: body.length, isRequest: true)
        }
        stream?.receive(head, of: task)
    }

    func receive(_ data: Data, of task: URLSessionTask) {
        guard let hop = hop(of: task) else { return }
        if let stream {
            stream.receive(data, of: task)
        } else {
            do {
                report(try hop.receive(data), of: task.expectedCount, isRequest: false)
            } catch {
                end(task, with: TaskOutcome(response: task.response, error: error))
            }
        }
    }

    /// Reports progress, if the caller asked for it.
    ///
    /// A body that is sent again, after a redirect or a challenge, counts from zero. The reports never shrink: they go on
    /// where the first attempt has got to.
    func report(_ count: Int64, of total: Int64, isRequest: Bool) {
        updateProgress()
        guard let meter = state.withLock({ $0.metersRequest == isRequest ? $0.meter : nil }),
            let report = meter.dueReport(count, of: total)
        else { return }
        session.delegateQueue.addOperation { meter.deliver(report) }
    }

    /// Takes the end of a task in the inner session.
    func hopEnded(_ task: URLSessionTask, with error: (any Error)?) {
        // A task that was dropped ends as well.
        if let hop = hop(of: task) { end(task, with: hop.outcome(with: error)) }
    }

    private func hop(of task: URLSessionTask) -> Hop? { state.withLock { $0.hop(of: task) } }
}

extension URLSessionTask {
    /// The length of the body, or a number below 1 while it is unknown. A `URLProtocol` of the caller gives it with the response
    /// alone.
    fileprivate var expectedCount: Int64 {
        countOfBytesExpectedToReceive > 0 ? countOfBytesExpectedToReceive : response?.expectedContentLength ?? 0
    }

    /// The exchange that a hop belongs to.
    var ownerExchange: Exchange? { delegate as? Exchange }
}

// Workaround: `URLSession` repeats a PUT or a POST without its body after a redirect
// Instead: the library repeats it with its body
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.bodyAfterRedirect
// Upstream: not reported
// May go: this file
//
// Workaround: `URLSession` repeats the first request 20 times if a redirect follows a challenge that was answered
// Instead: the library follows the redirect
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.redirectAfterChallenge
// Upstream: not reported
// May go: this file

#endif
