import Foundation
internal import URLSessionResultTransport

/// Turns counts of bytes into reports: growing numbers, at most about a hundred reports, a last one on success and none
/// after it. The handler is called once at a time.
///
/// The handler is the caller's code, and may be slow. So it is called without a lock, and no other thread waits for it. If a report
/// becomes due during a call, the thread that makes the call delivers that report, too.
package final class ProgressMeter: Sendable {
    private let reports: Locked<WaitingReports>

    /// - Parameters:
    ///   - handler: The function that takes the reports.
    ///   - bodyLength: How many bytes are uploaded, if that is known: URLSession does not count what a `URLProtocol` takes.
    package init(handler: @escaping ProgressHandler, bodyLength: Int64?) {
        reports = Locked(WaitingReports(handler: handler, bodyLength: bodyLength))
    }

    package convenience init(handler: @escaping ProgressHandler) { self.init(handler: handler, bodyLength: nil) }

    /// Takes a count. The reported numbers never shrink.
    ///
    /// - Returns: A function that calls the handler, unless the transfer is over or a later report was faster. It is `nil` if
    ///   no report is due.
    package func count(_ completed: Int64, of expected: Int64) -> (@Sendable () -> Void)? {
        guard let report = reports.withLock({ $0.schedule.dueReport(completed, of: expected) }) else { return nil }
        return { [self] in
            reports.withLock { $0.add(report) }
            makeCalls()
        }
    }

    /// Makes a counter for what a task transfers. It ignores the body of an error response: the request may be sent again, and
    /// would begin with a lower number.
    func counter(of task: URLSessionTask, accepting codes: some StatusCodes) -> ByteCounter {
        { [weak task] completed, expected in
            if let head = task?.response as? HTTPURLResponse, !codes.contains(head.statusCode) { return nil }
            return self.count(completed, of: expected)
        }
    }

    /// Ends the reports. If the transfer succeeded, a last one says that everything is transferred.
    ///
    /// - Parameters:
    ///   - successfully: Whether the transfer succeeded.
    ///   - whenOver: A function that is called after the last report, by this thread or by the one that is calling the handler.
    package func finish(successfully: Bool, then whenOver: @escaping @Sendable () -> Void = {}) {
        let isFirst = reports.withLock { $0.end(successfully: successfully, then: whenOver) }
        guard isFirst else { return whenOver() }
        makeCalls()
    }

    private func makeCalls() {
        while let call = reports.withLock({ $0.nextCall() }) {
            call()
            reports.withLock { $0.isCalling = false }
        }
    }
}

/// Decides which counts are worth a report.
private struct ReportSchedule: Sendable {
    /// How many bytes are uploaded, if that is known.
    let bodyLength: Int64?
    private var latest = TransferProgress(completedBytes: 0, totalBytes: nil)

    /// The number of completed bytes at which the next report is due.
    private var nextReport: Int64 = 1

    init(bodyLength: Int64?) { self.bodyLength = bodyLength }

    mutating func dueReport(_ completed: Int64, of expected: Int64) -> TransferProgress? {
        // The body of a challenge may have been counted before, and may be longer than the final body.
        let expected = expected > 0 ? expected : bodyLength ?? 0
        let total = expected > 0 ? max(expected, latest.completedBytes) : nil
        let completed = max(latest.completedBytes, min(completed, total ?? completed))
        latest = TransferProgress(completedBytes: completed, totalBytes: total)
        // `finish` reports a complete transfer.
        let isComplete = completed == total
        guard completed >= nextReport, !isComplete else { return nil }
        nextReport = completed + distanceToNextReport + 1
        return latest
    }

    /// A hundredth of a known total; of an unknown one, a quarter of what has arrived: 93 reports for a gigabyte.
    private var distanceToNextReport: Int64 {
        latest.totalBytes.map { $0 / 100 } ?? latest.completedBytes / 4
    }

    var finalCount: Int64 {
        if let bodyLength { return bodyLength }
        // The response to HEAD announces bytes that never come.
        guard latest.completedBytes > 0 else { return 0 }
        return latest.totalBytes ?? latest.completedBytes
    }
}

/// The newest report that the handler has not been given, and what follows the last one.
private struct WaitingReports: Sendable {
    typealias Call = @Sendable () -> Void

    var schedule: ReportSchedule

    /// Nil once the transfer is over.
    private var handler: ProgressHandler?

    /// Whether a thread is calling the handler. It takes the next report, too.
    var isCalling = false
    private var newest: TransferProgress?
    private var latestBytes: Int64 = 0

    /// What follows the last report.
    private var whenOver: Call?

    init(handler: ProgressHandler?, bodyLength: Int64? = nil) {
        self.handler = handler
        schedule = ReportSchedule(bodyLength: bodyLength)
    }

    mutating func add(_ report: TransferProgress) {
        // On a delegate queue with several threads, one report may overtake another.
        guard whenOver == nil, report.completedBytes > latestBytes else { return }
        latestBytes = report.completedBytes
        newest = report
    }

    /// - Returns: Whether the transfer was not over before.
    mutating func end(successfully: Bool, then whenOver: @escaping Call) -> Bool {
        guard handler != nil, self.whenOver == nil else { return false }
        let count = schedule.finalCount
        newest = successfully ? TransferProgress(completedBytes: count, totalBytes: count) : nil
        self.whenOver = whenOver
        return true
    }

    /// - Returns: A call to make without the lock, or nil if there is none, or if another thread is calling.
    mutating func nextCall() -> Call? {
        guard !isCalling, let handler else { return nil }
        if let report = newest.take() {
            isCalling = true
            return { handler(report) }
        }
        guard let whenOver else { return nil }
        let last = self
        self = WaitingReports(handler: nil)
        // The handler holds objects of the caller. `last` keeps them until the lock is released.
        return { withExtendedLifetime(last) { whenOver() } }
    }
}
