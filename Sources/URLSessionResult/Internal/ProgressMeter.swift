import Foundation

/// Turns counts of bytes into reports: growing, about a hundred at most, a last one on success and none after it.
///
/// Reports are made with its lock held, or a concurrent delegate queue could swap two of them.
struct ProgressMeter: Sendable {
    /// Nil once the transfer is over.
    var handler: ProgressHandler?
    var latest = TransferProgress(completedBytes: 0, totalBytes: nil)

    /// How many bytes there have to be for the next report.
    var due: Int64 = 1

    /// What counts the bytes, kept until the transfer is over. Unsafe but for the lock, which is held on every access.
    nonisolated(unsafe) var source: AnyObject?

    /// Takes note of the bytes transferred so far and reports them if that is due.
    ///
    /// - Parameters:
    ///   - completed: The bytes so far. A transfer that starts again, as after a challenge, counts from zero again;
    ///     what is reported never shrinks.
    ///   - expected: The bytes in all; not positive while that is not known.
    mutating func update(_ completed: Int64, of expected: Int64) {
        // The body of a challenge may have been longer than the one that counts.
        let total = expected > 0 ? max(expected, latest.completedBytes) : nil
        let completed = max(latest.completedBytes, min(completed, total ?? .max))
        latest = TransferProgress(completedBytes: completed, totalBytes: total)
        // All of it is for the end to report.
        guard completed >= due, completed < total ?? .max else { return }
        // A hundredth of a known total, or a quarter more of an unknown one: 93 reports for a gigabyte.
        due = completed + (total.map { $0 / 100 } ?? completed / 4) + 1
        handler?(latest)
    }

    /// Ends the reports: with a last one when the transfer succeeded.
    mutating func finish(successfully: Bool) {
        // The answer to HEAD announces bytes that never come.
        let total = latest.completedBytes == 0 ? 0 : latest.totalBytes ?? latest.completedBytes
        if successfully { handler?(TransferProgress(completedBytes: total, totalBytes: total)) }
        (handler, source) = (nil, nil)
    }
}
