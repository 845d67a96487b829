#if canImport(FoundationNetworking)

import Dispatch
import Foundation

// FoundationNetworking loads, completes and cancels the tasks of all sessions on one queue, its work queue, which is private. Here
// is how to get there, to stay there, and to leave.

/// Calls a function on the work queue.
///
/// FoundationNetworking answers `getAllTasks` on the work queue, by an operation of the session's delegate queue. The delegate
/// queue of `idleSession` runs the operation at once, still on the work queue.
package func onWorkQueue(_ work: @escaping @Sendable () -> Void) {
    idleSession.getAllTasks { _ in work() }
}

/// It never has a request.
let idleSession = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: ImmediateQueue())

/// A delegate queue that runs an operation where it is added, which is the work queue.
///
/// Such an operation must not wait for the work queue, as many methods of a task do, for example `cancel()`. So it must call no
/// code that might, and must resume no continuation: that takes a lock of the Swift task, which is held while a cancellation runs.
/// `onGlobalQueue(_:)` is for those.
///
/// Unchecked like its superclass: it has nothing of its own.
package final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    package override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}

extension URLSessionTask {
    /// Waits until the work queue has done its earlier work. To read `priority` waits for that, as many methods of a task do.
    func waitForWorkQueue() { _ = priority }
}

/// Calls a function on another queue, because this may be the work queue, or a thread that the work queue waits for.
func onGlobalQueue(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
}

/// Calls a function that may block, which the event loop must not. On Apple's platforms, it is called at once: each session has a queue
/// of its own there.
package func offEventLoop(_ work: @escaping @Sendable () -> Void) { onGlobalQueue(work) }

extension OperationQueue {
    /// Adds a function that is called even if all operations of the queue are cancelled: a request ends all the same.
    func addWork(_ work: @escaping @Sendable () -> Void) { addOperation(LastingOperation(work)) }
}

/// Unchecked like its superclass: it has only a constant of its own.
private final class LastingOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    override func main() { work() }
    override func cancel() {}
}

#endif
