#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// A delegate queue that runs an operation where it is added, which is the work queue of FoundationNetworking.
///
/// Such an operation must not wait for the work queue, as many methods of a task do, for example `cancel()`. It calls nobody
/// who might, and resumes no continuation: that takes a lock of the Swift task, which is held while a cancellation runs.
/// `soon(_:)` is for those.
///
/// Unchecked like its superclass: it has nothing of its own.
final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}

/// Calls a function on another queue, because this may be the work queue.
func soon(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
}

// Part of: InnerSession

#endif
