#if canImport(FoundationNetworking)

import Dispatch
import Foundation
import FoundationNetworking

/// A serial delegate queue that accepts operations about as fast as it runs them.
///
/// FoundationNetworking adds an operation for each 16 KiB that arrive, without a limit, and reads no more from the network
/// while it waits here. All sessions of the process wait with it, so an operation of this queue must not wait for a
/// reader, and the wait has an end.
final class DeliveryQueue: OperationQueue, @unchecked Sendable {  // as its superclass
    /// How many operations may wait: a mebibyte of a body.
    private static let capacity = 64

    /// How long an operation waits for room. It is only reached when something else holds the queue up.
    private static let patience = DispatchTimeInterval.milliseconds(100)

    private let room = DispatchSemaphore(value: capacity)

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        _ = room.wait(timeout: .now() + Self.patience)
        super.addOperation { [room] in
            block()
            room.signal()
        }
    }
}

extension URLSessionTask {
    /// Cancels the task without waiting for it.
    ///
    /// `cancel()` waits for the queue that all sessions share. That queue may wait for a delivery queue, so an operation of a
    /// delivery queue must not call it.
    func cancelSoon() {
        DispatchQueue.global().async { self.cancel() }
    }
}

#endif
