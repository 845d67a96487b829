import Foundation

/// A value behind a lock. The standard library's `Mutex` begins with macOS 15 and iOS 18.
///
/// Each lock of the transport says what it guards. It is the only one that a thread holds, unless its comment names another one.
/// While it is held, no code of the caller runs or is released, and nothing waits for a queue.
///
/// Where two are held, they are taken in this order, so that no two threads wait for each other:
///
/// | first | then |
/// | --- | --- |
/// | `ListedTask.isOver` | any of those that the work queue takes |
/// | `TaskProgress.lock` | `TaskProgress.progress` |
/// | `Transaction.state` | `ProtocolLoad.state`, or `CurlLoad.shown` |
/// | `StreamedResponse.state` | `BodyStream.state` |
/// | `BodyStream.state` | `Transfer.state`, `Transaction.state`, or `EventLoop.pending` |
///
/// Unchecked, because the lock is held on every access.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Calls a function with the lock held. What it returns is released without the lock, also if nobody uses it: its `deinit` may be
    /// the caller's, and need the lock.
    package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        lock.lock()
        do {
            let result = try body(&value)
            // Otherwise an optimized build would release it after its last use, which may be none.
            withExtendedLifetime(result) { lock.unlock() }
            return result
        } catch {
            lock.unlock()
            throw error
        }
    }

    /// Changes the value. What it was before is released without the lock.
    package func change(_ body: (inout Value) -> Void) {
        _ = withLock { value in
            let former = value
            body(&value)
            return former
        }
    }
}

extension Locked<Bool> {
    /// Sets it to true.
    ///
    /// - Returns: Whether it was false.
    package func setOnce() -> Bool {
        withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}
