#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Ends the requests that take longer than `timeoutIntervalForResource`, which FoundationNetworking ignores.
///
/// The time begins when the caller's task is resumed for the first time. One timer serves all requests, because nearly all of them end
/// long before: a request only notes its deadline, and the timer is set when that is the earliest.
///
/// Unchecked, because the timer is set with the lock held.
final class ResourceTimeouts: @unchecked Sendable {
    static let ofProcess = ResourceTimeouts()

    private struct Pending: Sendable {
        var transfers: [ObjectIdentifier: (transfer: Transfer, deadline: UInt64)] = [:]

        /// When the timer looks at the deadlines, in nanoseconds. None is earlier.
        var nextLook = UInt64.max
    }

    /// Guards the deadlines: callers begin requests and other threads end them, while the timer looks at all.
    private let pending = Locked(Pending())
    private let timer = DispatchSource.makeTimerSource()

    private init() {
        timer.setEventHandler { [self] in endLateTransfers() }
        timer.activate()
    }

    /// Notes when a transfer takes too long, unless its session has no timeout.
    func start(for transfer: Transfer) {
        let interval = transfer.configuration.timeoutIntervalForResource
        // Workaround: timeoutForResource
        guard interval > 0, interval < .century else { return }
        let deadline = DispatchTime.now() + interval
        pending.withLock { pending in
            pending.transfers[ObjectIdentifier(transfer)] = (transfer, deadline.uptimeNanoseconds)
            look(at: deadline.uptimeNanoseconds, &pending)
        }
    }

    /// Forgets a transfer, which has ended.
    func stop(for transfer: Transfer) {
        _ = pending.withLock { $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
    }

    /// When a transfer takes too long, in nanoseconds since the start of the system. Nil if it has ended, or has no timeout.
    func deadline(of transfer: Transfer) -> UInt64? {
        pending.withLock { $0.transfers[ObjectIdentifier(transfer)]?.deadline }
    }

    private func look(at time: UInt64, _ pending: inout Pending) {
        guard time < pending.nextLook else { return }
        pending.nextLook = time
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: time))
    }

    private func endLateTransfers() {
        let now = DispatchTime.now().uptimeNanoseconds
        let late = pending.withLock { pending in
            let late = pending.transfers.values.filter { $0.deadline <= now }
            for (transfer, _) in late { pending.transfers[ObjectIdentifier(transfer)] = nil }
            pending.nextLook = .max
            if let next = pending.transfers.values.map(\.deadline).min() { look(at: next, &pending) }
            return late
        }
        for (transfer, _) in late {
            // Each of them ends on its own: a download with a slow disk holds its lock, and the other transfers must not wait for
            // that.
            onGlobalQueue { transfer.end(with: TaskOutcome(error: URLError(.timedOut, at: transfer.latestURL))) }
        }
    }
}

#endif
