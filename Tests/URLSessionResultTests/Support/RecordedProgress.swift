import URLSessionResult

/// Keeps every report of a transfer.
struct RecordedProgress: Sendable {
    private let reports = Monitor<[TransferProgress]>([])

    var all: [TransferProgress] { reports.value }

    var handler: ProgressHandler {
        { [reports] report in reports.withLock { $0.append(report) } }
    }
}
