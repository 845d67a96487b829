#if canImport(FoundationNetworking)

/// When to look at what waits: at growing distances.
///
/// Times are in nanoseconds of a monotonic clock.
struct WaitTable<Key: Hashable & Sendable>: Sendable {
    private struct Wait: Sendable {
        var due: UInt64
        var distance: UInt64
    }

    private var waits: [Key: Wait] = [:]

    /// A wait begins.
    ///
    /// - Returns: When to look at it.
    mutating func begin(_ key: Key, at now: UInt64, lookAfter distance: UInt64) -> UInt64 {
        let wait = Wait(due: now + distance, distance: distance)
        waits[key] = wait
        return wait.due
    }

    /// A wait begins anew, unless it is over.
    ///
    /// - Returns: When to look at it.
    mutating func beginAgain(_ key: Key, at now: UInt64, lookAfter distance: UInt64) -> UInt64? {
        guard waits[key] != nil else { return nil }
        waits[key] = Wait(due: now + distance, distance: distance)
        return now + distance
    }

    /// Nothing can be done for a wait, which goes on.
    mutating func lookNoMore(at key: Key) { waits[key]?.due = .max }

    /// A wait is over.
    ///
    /// - Returns: What it began with. The caller releases it.
    mutating func end(_ key: Key) -> Key? {
        waits.index(forKey: key).map { waits.remove(at: $0).key }
    }

    /// Takes what to look at now. The next look is after double the distance.
    mutating func takeDue(at now: UInt64) -> [Key] {
        let due = waits.filter { $0.value.due <= now }
        for (key, wait) in due {
            let distance = 2 * wait.distance
            waits[key] = Wait(due: now + distance, distance: distance)
        }
        return Array(due.keys)
    }

    /// When to look next, or nil.
    var nextDue: UInt64? { waits.values.lazy.map(\.due).filter { $0 != .max }.min() }
}

#endif
