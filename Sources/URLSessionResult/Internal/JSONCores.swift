import Foundation

/// The cores of the machine, shared by all documents that are being decoded at the same time.
struct JSONCores: Sendable {
    // Asked once: it is a system call.
    static let machine = JSONCores(count: ProcessInfo.processInfo.activeProcessorCount)

    let count: Int
    private let busy = Locked(0)

    /// Runs `body` with as many cores as nobody else is using, but at least the one that it runs on already.
    ///
    /// With every core busy, splitting would only add work.
    func withShare<T>(upTo limit: Int, body: (_ cores: Int) throws -> T) rethrows -> T {
        let share = busy.withLock { busy in
            let share = max(1, min(limit, count - busy))
            busy += share
            return share
        }
        defer { busy.withLock { $0 -= share } }
        return try body(share)
    }
}
