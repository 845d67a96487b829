#if canImport(FoundationNetworking)

import Foundation

/// The cookies that FoundationNetworking may have stored, and the library has not checked yet.
///
/// FoundationNetworking stores the cookies of a caller's task while it reads the head, and one with `Secure=true` without
/// `Secure`. The library gets the response when it is complete. A request over http that is made meanwhile gets the cookies as
/// they were before.
///
/// Unchecked, because every access holds the lock.
final class ArrivingCookies: @unchecked Sendable {
    private final class Arrival {
        let exchange: ObjectIdentifier
        let url: URL
        let start = Date()

        /// What the storage held for the host when the task was made.
        var cookiesAtStart: [HTTPCookie] = []

        init(from exchange: Exchange, at url: URL) {
            self.exchange = ObjectIdentifier(exchange)
            self.url = url
        }
    }

    private var arrivals: [Arrival] = []

    /// The latest arrivals that are over. A cookie may have been read from the storage before it was corrected there.
    private var pastArrivals: [Arrival] = []

    /// The latest cookies of FoundationNetworking that are as the response says, and stay in the storage.
    private var rightCookies: [HTTPCookie] = []

    private let lock = NSLock()
    private static let shared = ArrivingCookies()

    /// Expects the cookies of a caller's task, which was made and is not resumed.
    static func expect(from exchange: Exchange) {
        guard let url = exchange.request.url else { return }
        let arrival = Arrival(from: exchange, at: url)
        shared.withLock { arriving in arriving.arrivals.append(arrival) }
    }

    /// Notes what the storage held for the host when the task was made.
    static func note(_ cookiesAtStart: [HTTPCookie], for exchange: Exchange) {
        shared.withLock { arriving in
            if let index = arriving.index(of: exchange) { arriving.arrivals[index].cookiesAtStart = cookiesAtStart }
        }
    }

    /// Notes cookies that FoundationNetworking has stored as the response says.
    static func noteRight(_ cookies: [HTTPCookie]) {
        guard !cookies.isEmpty else { return }
        shared.withLock { arriving in
            for cookie in cookies {
                arriving.rightCookies.append(cookie)
                if arriving.rightCookies.count > 1000 { arriving.rightCookies.remove(at: 0) }
            }
        }
    }

    /// Whether FoundationNetworking has stored a cookie as its response says.
    static func isRight(_ cookie: HTTPCookie) -> Bool {
        shared.withLock { $0.rightCookies.contains { $0 === cookie } }
    }

    /// Expects none any more: the cookies of the response are checked, or FoundationNetworking stores none.
    static func end(from exchange: Exchange) {
        shared.withLock { arriving in
            guard let index = arriving.index(of: exchange) else { return }
            arriving.pastArrivals.append(arriving.arrivals.remove(at: index))
            if arriving.pastArrivals.count > 64 { arriving.pastArrivals.remove(at: 0) }
        }
    }

    private func withLock<T>(_ body: (ArrivingCookies) -> T) -> T {
        lock.withLock { body(self) }
    }

    private func index(of exchange: Exchange) -> Int? {
        let id = ObjectIdentifier(exchange)
        return arrivals.firstIndex { $0.exchange == id }
    }

    /// The cookies of a storage that are for the host of a URL.
    static func checkedCookies(for url: URL, in storage: HTTPCookieStorage) -> [HTTPCookie] {
        let cookies = storage.cookies(for: url) ?? []
        guard !url.isForTLS, !cookies.isEmpty else { return cookies }
        return shared.withLock { arriving in cookies.compactMap { arriving.checkedVersion(of: $0) } }
    }

    /// The cookie, or the one that it has replaced if it is not checked.
    private func checkedVersion(of cookie: HTTPCookie) -> HTTPCookie? {
        guard !(cookie is ReceivedCookie<Never>), let url = cookie.properties?[.originURL] as? URL else {
            return cookie
        }
        let creation = cookie.creation
        func mayHaveSet(_ arrival: Arrival) -> Bool { arrival.start <= creation && arrival.url == url }
        guard let arrival = arrivals.first(where: mayHaveSet) ?? pastArrivals.last(where: mayHaveSet),
            !rightCookies.contains(where: { $0 === cookie })
        else { return cookie }
        return arrival.cookiesAtStart[cookie]
    }
}

// Part of: StoredCookies

#endif
