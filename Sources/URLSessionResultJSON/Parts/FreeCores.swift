import Foundation

/// Counts the processor cores that decode JSON, so that a document is split only if there are free cores.
///
/// Splitting takes more processor time in total. While the other cores decode other documents, it would slow them down.
///
/// Unchecked, because the lock is held on every access to the only property that changes.
final class FreeCores: @unchecked Sendable {
    // Stored, because activeProcessorCount makes a system call each time.
    static let machine = FreeCores(ProcessInfo.processInfo.activeProcessorCount)

    private let total: Int
    private let lock = NSLock()
    private var busy = 0

    init(_ total: Int) { self.total = total }

    /// Calls `body` with the number of cores it may use. They count as busy until `body` returns or throws.
    ///
    /// The number is at most `wanted`, and at least 1 even if all cores are busy: the thread of `body` runs anyway.
    func borrow<T>(atMost wanted: Int, _ body: (_ cores: Int) throws -> T) rethrows -> T {
        let borrowed = lock.withLock {
            let borrowed = max(1, min(wanted, total - busy))
            busy += borrowed
            return borrowed
        }
        defer {
            lock.withLock { busy -= borrowed }
        }
        return try body(borrowed)
    }
}
