import URLSessionResult

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
