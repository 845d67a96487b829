import Foundation

/// Turns counts of bytes into reports: growing numbers, at most about a hundred reports, a last one on success and none
/// after it.
///
/// The lock is held while a report is made: a delegate queue with several threads could swap two reports otherwise.
/// Unchecked, because every access holds the lock.
final class ProgressMeter: @unchecked Sendable {
    private let lock = NSLock()

    /// Nil once the transfer is over.
    private var handler: ProgressHandler?
    private var latest = TransferProgress(completedBytes: 0, totalBytes: nil)

    /// The number of completed bytes at which the next report is due.
    private var nextReport: Int64 = 1

    /// The object that counts the bytes. The meter keeps it until the transfer is over.
    private var source: AnyObject?

    init(handler: @escaping ProgressHandler) {
        self.handler = handler
    }

    func keep(_ source: AnyObject) {
        lock.withLock { self.source = source }
    }

    /// Takes the count of bytes transferred so far and reports it if a report is due.
    ///
    /// - Parameters:
    ///   - completed: The number of bytes so far. A transfer that starts again, for example after a challenge, counts
    ///     from zero again. The reported numbers never shrink.
    ///   - expected: The total number of bytes, or a number below 1 while it is unknown.
    func update(_ completed: Int64, of expected: Int64) {
        lock.withLock {
            // The body of a challenge may have been longer than the body that counts.
            let total = expected > 0 ? max(expected, latest.completedBytes) : nil
            let completed = max(latest.completedBytes, min(completed, total ?? .max))
            latest = TransferProgress(completedBytes: completed, totalBytes: total)
            // `finish` reports a complete transfer.
            let isComplete = completed == total
            guard completed >= nextReport, !isComplete else { return }
            nextReport = completed + distanceToNextReport + 1
            handler?(latest)
        }
    }

    /// A hundredth of a known total, or a quarter of what has come of an unknown one: 93 reports for a gigabyte.
    private var distanceToNextReport: Int64 {
        latest.totalBytes.map { $0 / 100 } ?? latest.completedBytes / 4
    }

    /// Ends the reports. If the transfer succeeded, a last one says that everything is transferred.
    func finish(successfully: Bool) {
        lock.withLock {
            if successfully { handler?(TransferProgress(completedBytes: finalCount, totalBytes: finalCount)) }
            handler = nil
            source = nil
        }
    }

    private var finalCount: Int64 {
        // The response to HEAD announces bytes that never come.
        guard latest.completedBytes > 0 else { return 0 }
        return latest.totalBytes ?? latest.completedBytes
    }
}
