import Foundation
internal import URLSessionResultTransport

extension Task where Success == Never, Failure == Never {
    /// Waits for at most a year, and keeps nothing when the task is cancelled. A negative time, or one that is no number, is none.
    static func sleep(seconds: TimeInterval) async throws {
        try checkCancellation()
        let ring = AwaitedValue<Void>()
        let seconds = seconds > 0 ? min(seconds, 31_536_000) : 0
        let alarm = AlarmClock.shared.set(after: seconds, giving: ring)
        defer { AlarmClock.shared.remove(alarm) }
        await ring.value()
        try checkCancellation()
    }
}
