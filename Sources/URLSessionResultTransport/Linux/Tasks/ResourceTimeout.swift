#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Ends a request that takes longer than `timeoutIntervalForResource`, which FoundationNetworking ignores.
///
/// The time begins when the caller's task is resumed for the first time.
///
/// Unchecked, because every access to the timer holds the lock.
final class ResourceTimeout: @unchecked Sendable {
    private let interval: TimeInterval

    /// Guards the timer: the caller starts it while a cancellation stops it. If `stop()` comes first, the timer runs on in vain: the
    /// transfer has ended, and ends once.
    private let lock = NSLock()
    private var timer: (any DispatchSourceTimer)?

    /// The default of a session. A timer for each request would cost more than it is worth.
    private static let week: TimeInterval = 7 * 24 * 60 * 60

    /// Makes a timeout, unless the session has none or the default.
    static func make(for configuration: URLSessionConfiguration) -> ResourceTimeout? {
        let interval = configuration.timeoutIntervalForResource
        // Workaround: timeoutForResource
        return interval > 0 && interval != week && interval < .century ? ResourceTimeout(interval: interval) : nil
    }

    private init(interval: TimeInterval) {
        self.interval = interval
    }

    deinit { stop() }

    func start(for transfer: Transfer) {
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + interval)
        timer.setEventHandler { [weak transfer] in
            guard let transfer else { return }
            transfer.end(with: TaskOutcome(error: URLError(.timedOut, at: transfer.request.url)))
        }
        timer.activate()
        lock.withLock { self.timer = timer }
    }

    func stop() {
        lock.withLock {
            timer?.cancel()
            timer = nil
        }
    }
}

#endif
