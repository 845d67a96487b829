#if canImport(FoundationNetworking)

import Foundation

/// The serial queue on which FoundationNetworking starts, completes and cancels the tasks of all sessions.
///
/// The queue is private. But a session that is asked for its tasks adds the answer to its delegate queue there
/// (`URLSession.getAllTasks(completionHandler:)`). This session has a delegate queue that runs it at once.
enum WorkQueue {
    private static let session = URLSession(
        configuration: .ephemeral, delegate: nil, delegateQueue: ImmediateQueue<Never>())

    /// Runs a function on the queue, while no task of any session is started, completed or cancelled.
    ///
    /// - Parameter work: A function that does not wait for the queue. Most methods of a task do, for example `cancel()`.
    static func async(_ work: @escaping @Sendable () -> Void) {
        session.getAllTasks { _ in work() }
    }
}

// Workaround: `URLSession` crashes if its delegate leaves a challenge to it while tasks start and end
//   (`_TaskRegistry.behaviour(for:)`)
// Instead: the library leaves a 401 to it, while no task starts or ends
// Kind: crash
// Needed by: Swift 6.3.2 to main
// Shown by: 9 of 20 runs of a load of such tasks crashed on 6.4; later, its sources
// Upstream: not reported
// May go: this file

#endif
