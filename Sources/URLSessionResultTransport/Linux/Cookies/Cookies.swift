#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// The cookies of an exchange: those of the storage that go with its requests, and those of its responses that are stored.
///
/// The inner session neither sends nor stores any.
final class Cookies: Sendable {
    private struct State: Sendable {
        /// The `Cookie` field of the latest request if the storage filled it, not the caller.
        var storedField: String?

        /// When the latest request was sent. Nil for a `URLProtocol` of the caller, which stores its cookies itself, as on
        /// Apple's platforms (https://github.com/lionheart/openradar-mirror/issues/18349). Nil also once the cookies of the
        /// response are stored: the caller may remove them while the body arrives.
        var start: Date?

        /// Is left when the cookies of the response are stored. Nil if nobody else stores them.
        var storing: DispatchGroup?
    }

    /// The storage whose cookies are sent.
    private let sentStorage: HTTPCookieStorage?

    /// The storage in which those of responses go.
    private let receivedStorage: HTTPCookieStorage?
    private let state = Locked(State())

    /// Stores cookies in place of the work queue: FoundationNetworking writes all cookies of a storage to its file for each one that
    /// it is given.
    fileprivate static let queue = DispatchQueue(label: "URLSessionResult.Cookies")

    init(of configuration: URLSessionConfiguration, for request: URLRequest) {
        sentStorage = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
        // Workaround: unhandledCookies
        let mayStore = request.httpShouldHandleCookies && configuration.httpCookieAcceptPolicy != .never
        receivedStorage = mayStore ? configuration.httpCookieStorage : nil
    }

    /// The request with the stored cookies that are for it now, in place of those that the one before was sent with.
    func added(to request: URLRequest) -> URLRequest {
        var request = removed(from: request)
        let cookies = stored(for: request)
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let field = cookies.isEmpty ? nil : request.value(forHTTPHeaderField: "Cookie")
        state.withLock { $0.storedField = field }
        return request
    }

    private func stored(for request: URLRequest) -> [HTTPCookie] {
        guard let sentStorage, let url = request.url, let cookies = sentStorage.cookies(for: url) else { return [] }
        return cookies.sent(with: request)
    }

    /// The request without the stored cookies that the one before was sent with.
    func removed(from request: URLRequest) -> URLRequest {
        guard let field = state.withLock({ $0.storedField }), request.value(forHTTPHeaderField: "Cookie") == field
        else {
            return request
        }
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Notes that a request is sent.
    func expectResponse(from loader: Loader) {
        guard receivedStorage != nil else { return }
        let isLoadedByHTTP = if case .http = loader { true } else { false }
        state.withLock { $0.start = isLoadedByHTTP ? Date() : nil }
    }

    /// Stores the cookies of a response, unless that was done. Waits for whoever does it, so this is not for the work queue.
    func store(from response: URLResponse?) {
        workToStore(response, isAwaited: false)?()
        state.withLock { $0.storing }?.wait()
    }

    /// Stores the cookies of a response on another queue, unless that was done.
    func storeSoon(from response: URLResponse?) {
        guard let store = workToStore(response, isAwaited: true) else { return }
        Self.queue.async(execute: store)
    }

    /// What stores the cookies of a response. Nil if there are none, or if somebody has it already.
    private func workToStore(_ response: URLResponse?, isAwaited: Bool) -> (@Sendable () -> Void)? {
        guard let receivedStorage, let head = response as? HTTPURLResponse,
            let field = head.value(forHTTPHeaderField: "Set-Cookie"), let url = head.url
        else { return nil }
        let storing = isAwaited ? DispatchGroup() : nil
        storing?.enter()
        let start = state.withLock { state -> Date? in
            guard let start = state.start.take() else { return nil }
            state.storing = storing
            return start
        }
        guard let start else {
            storing?.leave()
            return nil
        }
        return {
            receivedStorage.store(field, from: url, requestedAt: start)
            storing?.leave()
        }
    }
}

/// Calls a function on another queue, when the cookies of responses that came before are stored.
package func soonAfterStoringCookies(_ work: @escaping @Sendable () -> Void) {
    Cookies.queue.async { soon(work) }
}

extension HTTPCookieStorage {
    /// Stores the cookies of a response, except those that the caller has set meanwhile. Of two responses, the last one counts.
    ///
    /// - Parameters:
    ///   - field: The `Set-Cookie` fields, joined to one.
    ///   - url: The URL of the response.
    ///   - start: When the request was sent.
    func store(_ field: String, from url: URL, requestedAt start: Date) {
        let now = Date()
        // Workaround: cookiesOfHTTP2
        let accepted = SetCookie.all(in: field).compactMap { $0.accepted(from: url) }
        for next in accepted.latest {
            let predecessor = cookies(for: url)?.first { $0.place == next.place }
            // The caller has set it meanwhile. Not a range of time: the clock may have been set back.
            if let predecessor, !(predecessor is ReceivedCookie), predecessor.creation >= start,
                predecessor.creation < now
            {
                continue
            }
            // In the order of the fields.
            let index = accepted.firstIndex { $0.place == next.place } ?? 0
            let creation = predecessor?.firstCreation ?? now + Double(index) * 0.000_001
            ReceivedCookie(next, at: now, firstCreation: creation).map(setCookie)
        }
        // Workaround: numberOfCookies
        if !accepted.isEmpty { removeOldest(for: url) }
    }

    /// Removes what is above the limit of a domain. What the caller has stored stays.
    private func removeOldest(for url: URL) {
        let received = cookies(for: url)?.filter { $0 is ReceivedCookie } ?? []
        guard received.count > HTTPCookie.mostOfDomain else { return }
        for cookie in received {
            let newer = received.filter { $0.domain == cookie.domain && $0.creation > cookie.creation }
            if newer.count >= HTTPCookie.mostOfDomain { deleteCookie(cookie) }
        }
    }
}

extension [AcceptedCookie] {
    /// The last cookie of each place, and for each domain no more than are kept.
    fileprivate var latest: [AcceptedCookie] {
        var latest: [AcceptedCookie] = []
        for cookie in reversed() where !latest.contains(where: { $0.place == cookie.place }) {
            let count = latest.filter { $0.place.domain == cookie.place.domain }.count
            if count < HTTPCookie.mostOfDomain { latest.append(cookie) }
        }
        return latest.reversed()
    }
}

#endif
