#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Ends a task that takes longer than `timeoutIntervalForResource`, which FoundationNetworking ignores.
///
/// The time runs from the moment in which the task is made, because nothing tells when it is resumed. A task that is
/// suspended when the time is over gets the same time again, but at least a second: a timer that fires all the time would
/// keep a processor core busy.
///
/// Unchecked, because every access to the timer holds the lock.
final class ResourceTimeout: @unchecked Sendable {
    private let interval: TimeInterval

    /// How long a task that waits gets again.
    let pause: TimeInterval
    private let lock = NSLock()
    private var timer: (any DispatchSourceTimer)?

    /// The default of a session. No timer runs for that long.
    private static let week: TimeInterval = 7 * 24 * 60 * 60

    /// Makes a timeout, unless the session has none, the default or a longer one.
    static func make(for configuration: URLSessionConfiguration) -> ResourceTimeout? {
        let interval = configuration.timeoutIntervalForResource
        return interval > 0 && interval < week ? ResourceTimeout(interval: interval) : nil
    }

    private init(interval: TimeInterval) {
        self.interval = interval
        pause = max(interval, 1)
    }

    deinit { stop() }

    func start(for task: URLSessionTask, of exchange: Exchange) {
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + interval, repeating: pause)
        timer.setEventHandler { [weak task, weak exchange] in
            guard let task, let exchange else { return }
            Self.endUnlessWaiting(task, of: exchange)
        }
        timer.activate()
        lock.withLock { self.timer = timer }
    }

    static func endUnlessWaiting(_ task: URLSessionTask, of exchange: Exchange) {
        // With `progress:`, the task of the caller stays suspended while another one runs.
        let isWaiting = task.state == .suspended && exchange.state.withLock { $0.hop } == nil
        guard !isWaiting else { return }
        exchange.end(task, with: .failure(.timedOut, at: task.originalRequest?.url))
    }

    func stop() {
        lock.withLock {
            timer?.cancel()
            timer = nil
        }
    }
}

// Workaround: `URLSession` ignores `timeoutIntervalForResource`
// Instead: the library respects it
// Kind: hang
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.timeoutForResource
// Upstream: not reported
// May go: this file

#endif
