#if canImport(FoundationNetworking)

import Foundation

/// Calls a function on the queue on which FoundationNetworking loads, completes and cancels the tasks of all sessions.
///
/// The queue is private. But a session that is asked for its tasks adds the answer to its delegate queue there. This session has a
/// delegate queue that runs it at once.
package func onWorkQueue(_ work: @escaping @Sendable () -> Void) {
    idleSession.getAllTasks { _ in work() }
}

private let idleSession = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: ImmediateQueue())

// Part of: Exchange

#endif
