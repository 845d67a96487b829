import Foundation
import URLSessionResultTransport

/// Turns counts of bytes into reports: growing numbers, at most about a hundred reports, a last one on success and none
/// after it.
///
/// Counting and delivering have a lock each. So a slow handler holds up other reports, and not the thread that counts.
package final class ProgressMeter: ByteCounter {
    private let schedule = Locked(ReportSchedule())
    private let delivery: ReportDelivery

    package init(handler: @escaping ProgressHandler) {
        delivery = ReportDelivery(handler: handler)
    }

    /// Keeps the object that counts the bytes until the transfer is over.
    package func keep(_ source: AnyObject) {
        delivery.keep(source)
    }

    /// Takes a count. The reported numbers never shrink.
    ///
    /// - Returns: A function that calls the handler, unless the transfer is over or a later report was faster. It is `nil` if
    ///   no report is due.
    package func count(_ completed: Int64, of expected: Int64) -> (@Sendable () -> Void)? {
        guard let report = schedule.withLock({ $0.dueReport(completed, of: expected) }) else { return nil }
        return { [delivery] in delivery.deliver(report) }
    }

    /// Ends the reports. If the transfer succeeded, a last one says that everything is transferred.
    package func finish(successfully: Bool) {
        let count = schedule.withLock { $0.finalCount }
        delivery.finish(with: successfully ? TransferProgress(completedBytes: count, totalBytes: count) : nil)
    }
}

/// Decides which counts are worth a report.
private struct ReportSchedule: Sendable {
    private var latest = TransferProgress(completedBytes: 0, totalBytes: nil)

    /// The number of completed bytes at which the next report is due.
    private var nextReport: Int64 = 1

    mutating func dueReport(_ completed: Int64, of expected: Int64) -> TransferProgress? {
        // The body of a challenge may have been longer than the body that counts.
        let total = expected > 0 ? max(expected, latest.completedBytes) : nil
        let completed = max(latest.completedBytes, min(completed, total ?? completed))
        latest = TransferProgress(completedBytes: completed, totalBytes: total)
        // `finish` reports a complete transfer.
        let isComplete = completed == total
        guard completed >= nextReport, !isComplete else { return nil }
        nextReport = completed + distanceToNextReport + 1
        return latest
    }

    /// A hundredth of a known total, or a quarter of what has come of an unknown one: 93 reports for a gigabyte.
    private var distanceToNextReport: Int64 {
        latest.totalBytes.map { $0 / 100 } ?? latest.completedBytes / 4
    }

    var finalCount: Int64 {
        // The response to HEAD announces bytes that never come.
        guard latest.completedBytes > 0 else { return 0 }
        return latest.totalBytes ?? latest.completedBytes
    }
}

/// Calls the handler, with growing numbers, until the transfer is over.
///
/// Unchecked, because every access holds the lock.
private final class ReportDelivery: @unchecked Sendable {
    private let lock = NSLock()

    /// Nil once the transfer is over.
    private var handler: ProgressHandler?
    private var deliveredBytes: Int64 = 0

    /// The object that counts the bytes.
    private var source: AnyObject?

    init(handler: @escaping ProgressHandler) {
        self.handler = handler
    }

    func keep(_ source: AnyObject) {
        lock.withLock { self.source = source }
    }

    func deliver(_ report: TransferProgress) {
        lock.withLock {
            // On a delegate queue with several threads, one report may overtake another.
            guard report.completedBytes > deliveredBytes else { return }
            deliveredBytes = report.completedBytes
            handler?(report)
        }
    }

    func finish(with lastReport: TransferProgress?) {
        lock.withLock {
            if let lastReport { handler?(lastReport) }
            handler = nil
            source = nil
        }
    }
}
