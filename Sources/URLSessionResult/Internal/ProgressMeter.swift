import Foundation

/// Turns counts of bytes into reports: growing, about a hundred at most, a last one on success and none after it.
final class ProgressMeter: Sendable {
    private struct State {
        var completed: Int64 = 0
        var total: Int64?
        var reported: Int64 = 0
        var nextReport: Int64 = 1
        var isFinished = false
    }

    private let state = Locked(State())
    private let handler: @Sendable (TransferProgress) -> Void

    init(_ handler: @escaping @Sendable (TransferProgress) -> Void) {
        self.handler = handler
    }

    /// Takes note of the bytes transferred so far and reports them if that is due.
    ///
    /// - Parameters:
    ///   - completed: The bytes so far. A transfer that starts again, as after a challenge, counts from zero again;
    ///     what is reported never shrinks.
    ///   - expected: The bytes in all; not positive while that is not known.
    func update(completed: Int64, expected: Int64) {
        state.withLock { state in
            state.total = expected > 0 ? expected : nil
            state.completed = max(state.completed, min(completed, state.total ?? .max))
            guard !state.isFinished, state.completed >= state.nextReport else { return }
            state.nextReport = state.completed + Self.step(after: state.completed, of: state.total)
            report(state.completed, of: state.total, &state)
        }
    }

    /// Reports the end of a transfer that succeeded, unless that was reported already.
    func finish() {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            // The answer to HEAD announces bytes that never come.
            let total = state.completed == 0 ? 0 : state.total ?? state.completed
            guard total == 0 || state.reported < total || state.total == nil else { return }
            report(total, of: total, &state)
        }
    }

    /// Calls the handler with the lock held, or a concurrent delegate queue could swap two reports.
    private func report(_ completed: Int64, of total: Int64?, _ state: inout State) {
        state.reported = completed
        handler(TransferProgress(completedBytes: completed, totalBytes: total))
    }

    /// A hundredth of a known total, or a tenth more of an unknown one: 102 reports for the first gigabyte.
    private static func step(after completed: Int64, of total: Int64?) -> Int64 {
        total.map { ($0 + 99) / 100 } ?? max(16_384, completed / 10)
    }
}
