#if canImport(FoundationNetworking)

import Foundation

/// Where sessions should have idle connections, as far as their requests tell. The server or libcurl may have closed them.
///
/// Times are in nanoseconds of a monotonic clock.
struct KeptConnections: Sendable {
    struct Place: Hashable, Sendable {
        private let session: ObjectIdentifier
        private let scheme: String?
        private let host: String?
        private let port: Int?

        init(of url: URL?, in session: AnyObject) {
            self.session = ObjectIdentifier(session)
            scheme = url?.scheme
            host = url?.host
            port = url?.port
        }
    }

    private struct Idle: Sendable {
        var count: Int
        var latest: UInt64
    }

    private var places: [Place: Idle] = [:]

    /// Servers keep an idle connection for at least this time, as a rule.
    static var lifetime: UInt64 { 4_000_000_000 }

    private static let mostPlaces = 1000

    /// A request has ended well.
    mutating func add(at place: Place, at now: UInt64) {
        if places.count >= Self.mostPlaces { places = places.filter { $0.value.latest + Self.lifetime > now } }
        let count = places[place]?.count ?? 0
        places[place] = Idle(count: count + 1, latest: now)
    }

    /// A request begins.
    ///
    /// - Returns: Whether it should find a connection.
    mutating func take(at place: Place, at now: UInt64) -> Bool {
        guard let idle = places[place] else { return false }
        let isKept = idle.latest + Self.lifetime > now
        places[place] = isKept && idle.count > 1 ? Idle(count: idle.count - 1, latest: idle.latest) : nil
        return isKept
    }
}

#endif
