#if canImport(FoundationNetworking)

import Dispatch

/// Calls a function on another queue, because this may be the work queue, or a thread that the work queue waits for.
package func soon(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
}

// Part of: Exchange

#endif
