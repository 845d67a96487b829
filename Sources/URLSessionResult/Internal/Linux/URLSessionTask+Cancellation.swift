#if canImport(FoundationNetworking)

import Dispatch
import Foundation

extension URLSessionTask {
    /// Cancels the task on behalf of a Swift task, and with it the tasks that run instead of it.
    func cancelWithSwiftTask() {
        guard let exchange else { return cancel() }
        exchange.cancel(self)
    }

    /// Cancels the task without waiting for it.
    ///
    /// `cancel()` waits for the queue on which the tasks of all sessions run. Neither a request that ends nor a reader that
    /// leaves a stream has a reason to wait for them.
    func cancelSoon() {
        soon { self.cancel() }
    }

    /// Waits until FoundationNetworking has finished a cancellation that it has begun. A completion handler calls this
    /// before anything else.
    ///
    /// `cancel()` has two steps, both on the work queue of the task. The first step sets `state` to `.canceling`. The
    /// second step stops the transfer, sets `error`, and looks the task up in the registry of the session. The transfer
    /// may complete between the two: FoundationNetworking calls the completion handler, and when the handler returns, it
    /// removes the task from the registry. If the second step comes later, it finds no task and crashes
    /// (`URLSessionTask.cancel()` and `_TaskRegistry.behaviour(for:)`).
    ///
    /// A cancellation that begins later does no harm, because the task has no `URLProtocol` any more.
    ///
    /// - Complexity: One read of `state` for a task that is not cancelled. Otherwise microseconds. If the session has a
    ///   cache and the task has only begun, the second step comes after the search in the cache, on another thread.
    func waitForLateCancellation() {
        guard state == .canceling else { return }
        let deadline = Date(timeIntervalSinceNow: 10)
        repeat {
            waitForWorkQueue()
        } while !isCompletelyCancelled && Date() < deadline
    }

    /// Waits until the work queue of the task has done what it was given so far.
    func waitForWorkQueue() {
        // The queue guards the priority.
        _ = priority
    }

    /// Whether the second step of a cancellation has run. A transfer that fails sets an error as well, but another one.
    private var isCompletelyCancelled: Bool {
        (error as? URLError)?.code == .cancelled
    }
}

// Workaround: `URLSession` crashes if a task is cancelled near its end (`_TaskRegistry.behaviour(for:)`)
// Instead: the library lets the cancellation finish before it calls the handler
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: `compare-on-linux cancellation`, one of the examples
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/3296
// May go: `waitForLateCancellation()`
//
// Workaround: `URLSession` makes the thread that cancels a task wait for the tasks of all sessions
// Instead: the library cancels the tasks that it drops on another thread
// Kind: hang
// Needed by: Swift 6.2 to 6.3.3
// Shown by: its sources
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5412
// May go: `cancelSoon()`

#endif
