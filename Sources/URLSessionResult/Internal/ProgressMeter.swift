import Foundation

/// Turns counts of bytes into reports: growing, about a hundred at most, a last one on success and none after it.
final class ProgressMeter: Sendable {
    private struct State {
        var completed: Int64 = 0
        var total: Int64?
        var reported: Int64 = -1
        var nextReport: Int64 = 1
        var isFinished = false
    }

    private let state = Locked(State())
    private let handler: ProgressHandler

    init(_ handler: @escaping ProgressHandler) {
        self.handler = handler
    }

    /// Takes note of the bytes transferred so far and reports them if that is due.
    ///
    /// - Parameters:
    ///   - completed: The bytes so far. A transfer that starts again, as after a challenge, counts from zero again;
    ///     what is reported never shrinks.
    ///   - expected: The bytes in all; not positive while that is not known.
    func update(completed: Int64, expected: Int64) {
        // Reports are made with the lock held, or a concurrent delegate queue could swap two of them.
        state.withLock { state in
            state.total = expected > 0 ? expected : nil
            state.completed = max(state.completed, min(completed, state.total ?? .max))
            guard !state.isFinished, state.completed >= state.nextReport else { return }
            // A hundredth of a known total, or a tenth more of an unknown one: 102 reports for the first gigabyte.
            state.nextReport =
                state.completed + (state.total.map { ($0 + 99) / 100 } ?? max(16_384, state.completed / 10))
            state.reported = state.completed
            handler(TransferProgress(completedBytes: state.completed, totalBytes: state.total))
        }
    }

    /// Reports the end of a transfer that succeeded, unless that was reported already.
    func finish() {
        state.withLock { state in
            // The answer to HEAD announces bytes that never come.
            let total = state.completed == 0 ? 0 : state.total ?? state.completed
            if !state.isFinished, state.reported < total || state.total == nil {
                handler(TransferProgress(completedBytes: total, totalBytes: total))
            }
            state.isFinished = true
        }
    }
}
