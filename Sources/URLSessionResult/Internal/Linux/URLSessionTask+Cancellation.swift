#if canImport(FoundationNetworking)

import Dispatch
import Foundation

extension URLSessionTask {
    /// Cancels the task without waiting for it.
    ///
    /// `cancel()` waits for the queue on which the tasks of all sessions run. Neither a request that ends nor a reader that
    /// leaves a stream has a reason to wait for them.
    func cancelSoon() {
        soon { self.cancel() }
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
