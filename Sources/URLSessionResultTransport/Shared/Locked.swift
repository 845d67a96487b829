import Foundation

/// A value behind a lock. The standard library's `Mutex` begins with macOS 15 and iOS 18.
///
/// Unchecked, because the lock is held on every access.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
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
