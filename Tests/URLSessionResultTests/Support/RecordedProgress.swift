@testable import URLSessionResult
@testable import URLSessionResultTransport

/// Keeps every report of a transfer.
struct RecordedProgress: Sendable {
    private let reports = Monitor<[TransferProgress]>([])

    var all: [TransferProgress] { reports.value }

    /// Waits until there are as many.
    func count(_ count: Int) async throws { try await reports.value { $0.count >= count } }

    var handler: ProgressHandler {
        { [reports] report in reports.withLock { $0.append(report) } }
    }
}

extension ProgressMeter {
    /// Takes a count of bytes, and delivers the report if one is due.
    func update(_ completed: Int64, of expected: Int64) {
        count(completed, of: expected)?()
    }
}
