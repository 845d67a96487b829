#if canImport(FoundationNetworking)

import Foundation

/// The `progress` of a caller's task, once somebody has asked for it.
final class TaskProgress: Sendable {
    /// Guards who is the first to ask. To set the cancellation handler of a `Progress` under the lock is safe: if the progress was
    /// cancelled before, it calls the handler on another queue.
    private let progress = Locked<Kept?>(nil)

    private struct Kept: Sendable {
        let progress: Progress

        /// Numbers the looks at the transfer: the latest one that has begun, and the latest one that is shown.
        var lastLook = 0
        var lastShown = 0
    }

    /// `Progress` has no lock on Linux, and several tasks may have one parent: all tasks share this one.
    ///
    /// 1. The event loop counts a piece, looks at the transfer, and sets the numbers.
    /// 2. The delegate queue delivers the end of a task with the same parent. It waits: both would change the parent's numbers.
    ///
    /// A caller who adds a child to a parent has no lock. So a parent gets its children before their tasks are resumed.
    private static let lock = NSLock()

    /// Keeps the progress up to date from now on. The first one counts.
    ///
    /// - Parameters:
    ///   - progress: The progress of the task.
    ///   - cancel: What cancelling the progress does.
    func keep(_ progress: Progress, cancelling cancel: @escaping @Sendable () -> Void) {
        self.progress.withLock { known in
            guard known == nil else { return }
            known = Kept(progress: progress)
            progress.cancellationHandler = cancel
        }
    }

    /// Shows how far the request is.
    func update(from transfer: Transfer) {
        let look = progress.withLock { kept in
            kept?.lastLook += 1
            return kept?.lastLook
        }
        guard let look else { return }
        // This is read without the lock: a transaction with a slow disk holds a lock of its own, and other tasks must not wait for
        // that.
        let shown = transfer.shown
        let isOver = transfer.taskState == .completed
        Self.lock.withLock {
            if let progress = progressToShow(look) { Self.show(shown, isOver: isOver, by: progress) }
        }
    }

    /// - Returns: The progress. Nil if it shows a later look already.
    private func progressToShow(_ look: Int) -> Progress? {
        progress.withLock { kept in
            guard let shown = kept?.lastShown, shown < look else { return nil }
            kept?.lastShown = look
            return kept?.progress
        }
    }

    private static func show(_ shown: ShownTask, isOver: Bool, by progress: Progress) {
        let count = shown.sent + shown.received
        if isOver {
            show(max(count, 1), of: max(count, 1), by: progress)
        } else {
            // A server may announce any length.
            let expected = max(shown.expectedToSend, 0).addingReportingOverflow(max(shown.expectedToReceive, 0))
            let announced = expected.overflow ? .max : expected.partialValue
            // If the total is not known now, the one that was known before stays.
            let total = announced > 0 ? announced : progress.totalUnitCount
            // A progress that was complete once does not go back.
            show(total > 0 ? min(count, total - 1) : count, of: total > 0 ? total : -1, by: progress)
        }
    }

    /// `Progress` crashes if more than all is completed after its total has changed: it multiplies all totals that it has had.
    private static func show(_ count: Int64, of total: Int64, by progress: Progress) {
        progress.completedUnitCount = min(count, progress.completedUnitCount)
        progress.totalUnitCount = total
        progress.completedUnitCount = count
    }
}

#endif
