#if canImport(FoundationNetworking)

import Foundation

/// A delegate queue that keeps its operations. A test runs them, one at a time and on its own thread.
///
/// Unchecked, because the thread of the test is the only one.
final class HandTurnedQueue: OperationQueue, @unchecked Sendable {
    private var waiting: [() -> Void] = []

    /// Whether one of its operations runs now.
    private(set) var isTurning = false

    override func addOperation(_ operation: Operation) { waiting.append(operation.main) }
    override func addOperation(_ block: @escaping @Sendable () -> Void) { waiting.append(block) }

    /// Runs the first operation.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func turn() -> Bool {
        guard !waiting.isEmpty else { return false }
        let operation = waiting.removeFirst()
        isTurning = true
        operation()
        isTurning = false
        return true
    }
}

#endif
