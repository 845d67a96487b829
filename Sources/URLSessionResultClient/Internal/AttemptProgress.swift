internal import URLSessionResultTransport

/// Whether an attempt has got further than those before it. Such an attempt does not count as a failed one.
///
/// A task-local value, because middleware may stand between the retry and the download.
enum AttemptProgress {
    @TaskLocal static var current: Locked<Bool>?

    static func note() { current?.withLock { $0 = true } }
}
