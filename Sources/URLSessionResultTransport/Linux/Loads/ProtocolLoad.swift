#if canImport(FoundationNetworking)

import Foundation

/// A request that a `URLProtocol` of the caller loads, without a session of FoundationNetworking: that crashes if the protocol
/// answers from another thread than its work queue.
///
/// Unchecked, because `loading` is used on the queue alone, and everything else is constant or holds a lock.
final class ProtocolLoad: NSObject, Load, @unchecked Sendable {
    private enum Phase {
        case loading
        case over
    }

    private let loadingClass: URLProtocol.Type
    private let request: URLRequest
    private let hop: Hop
    private let queue = DispatchQueue(label: "URLSessionResult.ProtocolLoad")
    private let state = Locked((phase: Phase.loading, response: nil as URLResponse?))

    /// Nil before it has started, and after it was stopped. The queue is Apple's thread of a load.
    private var loading: URLProtocol?

    init(of request: URLRequest, by loadingClass: URLProtocol.Type, for hop: Hop) {
        self.request = request
        self.loadingClass = loadingClass
        self.hop = hop
    }

    var response: URLResponse? { state.withLock { $0.response } }

    /// The protocol is given the body as a whole.
    var countOfBytesSent: Int64 { response == nil ? 0 : countOfBytesExpectedToSend }
    var countOfBytesExpectedToSend: Int64 { Int64(request.httpBody?.count ?? 0) }

    func start() {
        queue.async { [self] in
            guard isLoading else { return }
            let loading = loadingClass.init(
                request: loadingClass.canonicalRequest(for: request), cachedResponse: nil, client: self)
            loading.task = hop.callersTask
            self.loading = loading
            loading.startLoading()
        }
    }

    func stop() { finish() }

    private var isLoading: Bool { state.withLock { $0.phase == .loading } }

    /// Ends the load. As on Apple's platforms, the protocol is stopped after every end, also after its own.
    ///
    /// - Returns: Whether the load was not over before.
    @discardableResult
    private func finish() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.phase = .over }
            return state.phase == .loading
        }
        queue.async { [self] in
            loading?.stopLoading()
            loading = nil
        }
        return isFirst
    }
}

/// What the protocol says, on any thread.
extension ProtocolLoad: URLProtocolClient {
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        guard isLoading else { return }
        state.withLock { $0.response = response }
        hop.receive(response)
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        if isLoading { hop.receive(data) }
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        guard finish() else { return }
        if let challenge = (response as? HTTPURLResponse)?.challenge {
            hop.challenged(by: challenge)
        } else {
            hop.ended(with: nil)
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        if finish() { hop.ended(with: error) }
    }

    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse response: URLResponse
    ) {
        // Many a mock goes on with the response and its end, for a delegate that stops the redirect.
        guard let response = response as? HTTPURLResponse, finish() else { return }
        hop.redirected(by: response, to: request)
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        if isLoading { hop.challenged(by: challenge) }
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}

    /// The library gives no protocol a cached response.
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
}

extension HTTPURLResponse {
    /// The challenge of a 401 that asks for Basic (RFC 7617). Over HTTP, too, a delegate is asked about no other scheme.
    fileprivate var challenge: URLAuthenticationChallenge? {
        guard statusCode == 401, let url, let host = url.host,
            let realm = value(forHTTPHeaderField: "WWW-Authenticate")?.realmOfBasic
        else { return nil }
        let space = URLProtectionSpace(
            host: host, port: url.port ?? (url.scheme == "https" ? 443 : 80), protocol: url.scheme, realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: self, error: nil,
            sender: NoSender())
    }
}

extension String {
    /// The realm of Basic among the schemes of a `WWW-Authenticate` field (RFC 9110, section 11.6.1).
    fileprivate var realmOfBasic: String? {
        let beginning = #"(^|,)\s*Basic\s(.*?[\s,])??realm="#
        guard let end = range(of: beginning, options: [.regularExpression, .caseInsensitive])?.upperBound else {
            return nil
        }
        let value = self[end...]
        guard value.hasPrefix("\"") else { return String(value.prefix { !" ,".contains($0) }) }
        return String(value.dropFirst().prefix { $0 != "\"" })
    }
}

/// A challenge is answered by its completion handler alone.
private final class NoSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

// Workaround: `URLSession` crashes if a `URLProtocol` answers on another thread while the task is cancelled
// Instead: the library loads the `URLProtocol` itself
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: this file

#endif
