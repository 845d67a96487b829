import Foundation

extension Task where Success == Never, Failure == Never {
    /// Waits for at most a year, and keeps nothing when the task is cancelled. A negative time, or one that is no number, is none.
    static func sleep(seconds: TimeInterval) async throws {
        try checkCancellation()
        // Unlike a continuation, a stream ends when the task that waits is cancelled.
        let (end, waiter) = AsyncStream<Void>.makeStream()
        let seconds = seconds > 0 ? min(seconds, 31_536_000) : 0
        let alarm = AlarmClock.shared.set(after: seconds, finishing: waiter)
        defer { AlarmClock.shared.remove(alarm) }
        for await _ in end {}
        try checkCancellation()
    }
}
