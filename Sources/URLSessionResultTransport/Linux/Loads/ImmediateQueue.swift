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
package final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    package override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}

// Part of: InnerSession

#endif
