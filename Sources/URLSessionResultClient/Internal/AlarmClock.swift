import Foundation
internal import URLSessionResultTransport

/// Ends waits when their time has come, with one timer for all of them.
///
/// It is there because `Task.sleep` keeps its timer until the time is over, even when the task is cancelled, and because on Linux a
/// `DispatchSource` for each wait would leak some bytes.
///
/// Unchecked, because the compiler does not know that a timer of Dispatch may be set on any thread.
final class AlarmClock: @unchecked Sendable {
    static let shared = AlarmClock()

    /// The end of a wait.
    struct Alarm: Sendable {
        fileprivate let time: DispatchTime

        /// Tells apart alarms of the same time.
        fileprivate let number: UInt64
        fileprivate let waiter: AwaitedValue<Void>

        fileprivate func isBefore(_ other: Alarm) -> Bool { (time, number) < (other.time, other.number) }
    }

    private struct State: Sendable {
        /// In the order of their times.
        var alarms: [Alarm] = []
        var count: UInt64 = 0

        /// The time that the timer is set to, or nil if it has rung.
        var timeOfRing: DispatchTime?

        /// Where an alarm stands or would stand.
        func index(of alarm: Alarm) -> Int {
            var range = alarms.indices
            while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
                range =
                    alarms[middle].isBefore(alarm) ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }
    }

    private let state = Locked(State())
    private let timer = DispatchSource.makeTimerSource()

    init() {
        timer.setEventHandler { [weak self] in self?.ring() }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Gives a value after a number of seconds.
    ///
    /// - Returns: What to remove when nobody waits any more.
    func set(after seconds: TimeInterval, giving waiter: AwaitedValue<Void>) -> Alarm {
        state.withLock { state in
            state.count += 1
            let alarm = Alarm(time: .now() + seconds, number: state.count, waiter: waiter)
            state.alarms.insert(alarm, at: state.index(of: alarm))
            setTimer(&state)
            return alarm
        }
    }

    /// Removes an alarm. The timer stays set, and may ring without an alarm that is due.
    func remove(_ alarm: Alarm) {
        state.withLock { state in
            let index = state.index(of: alarm)
            guard index < state.alarms.count, state.alarms[index].number == alarm.number else { return }
            state.alarms.remove(at: index)
        }
    }

    private func ring() {
        let now = DispatchTime.now()
        let due = state.withLock { state in
            let due = state.alarms.prefix { $0.time <= now }
            state.alarms.removeFirst(due.count)
            state.timeOfRing = nil
            setTimer(&state)
            return due
        }
        for alarm in due { alarm.waiter.give(()) }
    }

    private func setTimer(_ state: inout State) {
        guard let first = state.alarms.first?.time, state.timeOfRing.map({ first < $0 }) ?? true else { return }
        state.timeOfRing = first
        timer.schedule(deadline: first)
    }
}
