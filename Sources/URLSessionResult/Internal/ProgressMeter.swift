import Foundation

/// Turns counts of bytes into reports: growing, about a hundred at most, a last one on success and none after it.
final class ProgressMeter: Sendable {
    private struct State {
        /// Nil once the transfer is over.
        var handler: ProgressHandler?
        var latest = TransferProgress(completedBytes: 0, totalBytes: nil)
        /// How many bytes there have to be for the next report.
        var due: Int64 = 1
    }

    /// What counts the bytes, kept for as long as they are reported. Set once, before the task starts.
    nonisolated(unsafe) var source: AnyObject?

    private let state: Locked<State>

    init(_ handler: @escaping ProgressHandler) { state = Locked(State(handler: handler)) }

    /// Takes note of the bytes transferred so far and reports them if that is due.
    ///
    /// - Parameters:
    ///   - completed: The bytes so far. A transfer that starts again, as after a challenge, counts from zero again;
    ///     what is reported never shrinks.
    ///   - expected: The bytes in all; not positive while that is not known.
    func update(completed: Int64, expected: Int64) {
        // Reports are made with the lock held, or a concurrent delegate queue could swap two of them.
        state.withLock { state in
            // The body of a challenge may have been longer than the one that counts.
            let total = expected > 0 ? max(expected, state.latest.completedBytes) : nil
            let completed = max(state.latest.completedBytes, min(completed, total ?? .max))
            state.latest = TransferProgress(completedBytes: completed, totalBytes: total)
            // All of it is for the end to report.
            guard completed >= state.due, completed < total ?? .max else { return }
            // A hundredth of a known total, or a quarter more of an unknown one: 93 reports for a gigabyte.
            state.due = completed + (total.map { $0 / 100 } ?? completed / 4) + 1
            state.handler?(state.latest)
        }
    }

    /// Ends the reports: with a last one when the transfer succeeded.
    func finish(successfully: Bool) {
        state.withLock { state in
            // The answer to HEAD announces bytes that never come.
            let total = state.latest.completedBytes == 0 ? 0 : state.latest.totalBytes ?? state.latest.completedBytes
            if successfully { state.handler?(TransferProgress(completedBytes: total, totalBytes: total)) }
            state.handler = nil
        }
    }
}
