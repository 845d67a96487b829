#if canImport(FoundationNetworking)

import Foundation

/// A request that a `URLProtocol` of the caller loads, without a session of FoundationNetworking: that crashes if the protocol
/// answers from another thread than its work queue.
///
/// Unchecked, because `loading` is used on `protocolQueue` alone, and everything else is constant or holds a lock.
final class ProtocolLoad: NSObject, Load, @unchecked Sendable {
    /// What the protocol says, on any thread.
    private enum Event: Sendable {
        case head(URLResponse)
        case data(Data)
        case challenge(URLAuthenticationChallenge)
        case redirect(HTTPURLResponse, to: URLRequest)
        case end((any Error)?)

        /// Something that takes its turn among the others.
        case call(@Sendable () -> Void)

        /// Whether what comes later does not count.
        var isLast: Bool {
            switch self {
            case .head, .data, .call: false
            case .challenge, .redirect, .end: true
            }
        }
    }

    private struct State: Sendable {
        var response: URLResponse?

        /// What was said and was not told yet.
        private var events: [Event] = []
        private(set) var isOver = false

        /// Whether a thread notifies the transaction of events. That thread also takes the events that other threads add meanwhile,
        /// so that the order is kept.
        private var isNotifying = false

        /// - Returns: Whether the caller has to notify the transaction.
        mutating func add(_ event: Event) -> Bool {
            guard !isOver else { return false }
            isOver = event.isLast
            events.append(event)
            defer { isNotifying = true }
            return !isNotifying
        }

        mutating func next() -> Event? {
            isNotifying = !events.isEmpty
            return isNotifying ? events.removeFirst() : nil
        }

        /// - Returns: What was not told: the errors of a protocol are its own, and are released without the lock.
        mutating func stop() -> [Event] {
            isOver = true
            defer { events = [] }
            return events
        }
    }

    private let loadingClass: URLProtocol.Type
    private let request: URLRequest
    private let transaction: Transaction

    /// Guards the events of a protocol that answers from several threads. `Transaction.state` may be held when it is taken, so
    /// nothing is told under it.
    ///
    /// 1. A thread says the head. It is the first, so it tells the transaction, without the lock.
    /// 2. Another thread says a piece meanwhile. It is put behind the head, and that thread goes on.
    /// 3. The first thread comes back, finds the piece, and tells it, too.
    private let state = Locked(State())

    /// Nil before it has started, and after it was stopped. The queue is Apple's thread of a load.
    private var loading: URLProtocol?

    init(of request: URLRequest, by loadingClass: URLProtocol.Type, for transaction: Transaction) {
        self.request = request
        self.loadingClass = loadingClass
        self.transaction = transaction
    }

    var response: URLResponse? { state.withLock { $0.response } }

    var countOfBytesSent: Int64 { response == nil ? 0 : countOfBytesExpectedToSend }
    var countOfBytesExpectedToSend: Int64 { Int64(request.httpBody?.count ?? 0) }

    func start() {
        protocolQueue.async { [self] in
            guard !state.withLock({ $0.isOver }) else { return }
            // Workaround: protocolOnOtherThread
            let loading = loadingClass.init(
                request: loadingClass.canonicalRequest(for: request), cachedResponse: nil, client: self)
            // It is set even if the task is cancelled meanwhile, because a mock may take it for granted.
            loading.task = transaction.task
            self.loading = loading
            loading.startLoading()
        }
    }

    func stop() {
        _ = state.withLock { $0.stop() }
        stopLoading()
    }

    /// As on Apple's platforms, the protocol is stopped after every end, even after its own.
    private func stopLoading() {
        protocolQueue.async { [self] in
            loading?.stopLoading()
            loading = nil
        }
    }

    private func add(_ event: Event) {
        guard state.withLock({ $0.add(event) }) else { return }
        while let next = state.withLock({ $0.next() }) { notify(of: next) }
    }

    private func notify(of event: Event) {
        if event.isLast { stopLoading() }
        switch event {
        case .head(let response):
            state.change { $0.response = response }
            // The protocol was given the body as a whole.
            transaction.sent(countOfBytesSent)
            transaction.receive(response) { [weak self] work in self?.add(.call(work)) }
        case .data(let data):
            transaction.receive(data)
        case .challenge(let challenge):
            transaction.challenged(by: [challenge])
        case .redirect(let response, let request):
            transaction.redirected(by: response, to: request)
        case .end(nil):
            let challenges = (response as? HTTPURLResponse)?.challenges ?? []
            if challenges.isEmpty { transaction.ended(with: nil) } else { transaction.challenged(by: challenges) }
        case .end(let error?):
            transaction.ended(with: error)
        case .call(let work):
            work()
        }
    }
}

extension ProtocolLoad: URLProtocolClient {
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { add(.head(response)) }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { add(.data(data)) }
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { add(.end(nil)) }
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { add(.end(error)) }

    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse response: URLResponse
    ) {
        // Many mocks give the response and its end after this, for a delegate that stops the redirect. Those events do not count.
        if let response = response as? HTTPURLResponse {
            add(.redirect(response, to: request))
        } else {
            // No delegate can be asked about it.
            add(.end(URLError(.badServerResponse)))
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        add(.challenge(challenge))
    }
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}

    /// The library gives no protocol a cached response.
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
}

#endif
