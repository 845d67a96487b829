#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Notifies a transaction of what arrives, in order: at once on the event loop, or for a download on a queue of its own, because its file is
/// written there, and a disk may be slow.
///
/// Used on the event loop alone.
final class TransactionEvents: Sendable {
    /// What the queue has not written yet.
    private struct Unwritten: Sendable {
        var count = 0

        /// Whether receiving is paused until there is less.
        var isAwaited = false
    }

    private static let mostUnwritten = 1 << 20

    private let transaction: Transaction

    /// Nil unless this is a download.
    private let queue: DispatchQueue?

    /// Guards the count, which the event loop raises and the queue lowers.
    private let unwritten = Locked(Unwritten())

    init(of transaction: Transaction) {
        self.transaction = transaction
        queue = transaction.prepared.kind.isDownload ? DispatchQueue(label: "URLSessionResult.download") : nil
    }

    func notify(_ event: @escaping @Sendable (Transaction) -> Void) {
        guard let queue else { return event(transaction) }
        queue.async { [transaction] in event(transaction) }
    }

    /// Gives the transaction a piece of the body.
    ///
    /// - Parameters:
    ///   - data: The piece.
    ///   - whenWritten: A function to call, on any thread, when there is room again. If this returns false, either this function or that
    ///     of an earlier piece is called once.
    /// - Returns: Whether there is room for another piece.
    func receive(_ data: Data, whenWritten: @escaping @Sendable () -> Void) -> Bool {
        guard let queue else {
            transaction.receive(data)
            return true
        }
        let count = data.count
        let hasRoom = unwritten.withLock { unwritten in
            unwritten.count += count
            unwritten.isAwaited = unwritten.count >= Self.mostUnwritten
            return !unwritten.isAwaited
        }
        queue.async { [transaction, unwritten] in
            transaction.receive(data)
            let isAwaited = unwritten.withLock { unwritten in
                unwritten.count -= count
                guard unwritten.isAwaited, unwritten.count < Self.mostUnwritten / 2 else { return false }
                unwritten.isAwaited = false
                return true
            }
            if isAwaited { whenWritten() }
        }
        return hasRoom
    }
}

#endif
