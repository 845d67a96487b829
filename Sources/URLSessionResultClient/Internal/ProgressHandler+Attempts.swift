internal import URLSessionResultTransport

extension ProgressHandler? {
    /// The handler for all attempts of a request. Its numbers don't go back when another one begins.
    var forAllAttempts: ProgressHandler? {
        guard let self else { return nil }
        let furthest = Locked<Int64>(0)
        return { report in
            let completed = furthest.withLock { furthest in
                furthest = max(furthest, report.completedBytes)
                return furthest
            }
            let total = report.totalBytes.map { max($0, completed) }
            self(TransferProgress(completedBytes: completed, totalBytes: total))
        }
    }
}
