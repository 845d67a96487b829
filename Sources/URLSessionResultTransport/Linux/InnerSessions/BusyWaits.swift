#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// The tasks of inner sessions, and what keeps a core free while they wait.
///
/// FoundationNetworking watches a socket for writing while libcurl makes a connection or sends a body, and goes on with that until
/// libcurl gives the socket back (`_SocketSources` only adds). A socket can be written to nearly always. So the work queue of all
/// sessions turns without pause until the response is whole. If all transfers of a connection are paused and resumed, libcurl gives
/// its socket back, and then asks to read alone.
///
/// Nothing tells when a connection is made, or when a body has left libcurl. So a task is looked at some time after it has begun
/// or has sent something, and again after double the time. One timer serves all tasks. What is over by then is not looked at. A task
/// that should find a connection is looked at much later.
///
/// Unchecked, because a timer may be used on any thread.
final class BusyWaits: @unchecked Sendable {
    private struct State: Sendable {
        var table = WaitTable<WaitingTask>()
        var keptConnections = KeptConnections()

        /// When the timer fires, or nil if it does not.
        var timeOfTimer: UInt64?
    }

    /// Nil if libcurl cannot be found.
    static let shared = Libcurl.loaded.map { _ in BusyWaits() }

    /// Guards the table and the time of the timer, which have to agree. A task is released without it.
    ///
    /// 1. The timer fires: its thread takes what is due, and will look at it on the work queue.
    /// 2. The work queue ends one of these tasks, and takes it from the table.
    /// 3. The look comes. It finds no transfer of libcurl for that task, and leaves it alone.
    private let state = Locked(State())
    private let timer = DispatchSource.makeTimerSource()

    private init() {
        timer.setEventHandler { [unowned self] in lookAtWaits() }
        timer.activate()
    }

    /// Until then, a wait may take a core.
    private static let distance: UInt64 = 20_000_000

    /// On a connection that was kept, a wait takes none.
    private static let distanceOnKeptConnection: UInt64 = 500_000_000

    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// A task begins.
    func begin(_ task: WaitingTask) {
        state.withLock { state in
            let now = now
            let isKept = state.keptConnections.take(at: task.place, at: now)
            let distance = isKept ? Self.distanceOnKeptConnection : Self.distance
            setTimer(to: state.table.begin(task, at: now, lookAfter: distance), in: &state)
        }
    }

    /// FoundationNetworking has given libcurl a part of the body.
    func hasSent(_ task: WaitingTask) {
        state.withLock { state in
            guard let due = state.table.beginAgain(task, at: now, lookAfter: Self.distance) else { return }
            setTimer(to: due, in: &state)
        }
    }

    func end(_ task: WaitingTask, keepsConnection: Bool) {
        // The table may have had the last reference. It is released without the lock.
        _ = state.withLock { state in
            let ended = state.table.end(task)
            if let ended, keepsConnection { state.keptConnections.add(at: ended.place, at: now) }
            return ended
        }
    }

    private func setTimer(to due: UInt64, in state: inout State) {
        if let time = state.timeOfTimer, time <= due { return }
        state.timeOfTimer = due
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: due), leeway: .milliseconds(2))
    }

    private func lookAtWaits() {
        let tasks = state.withLock { state in
            let tasks = state.table.takeDue(at: now)
            state.timeOfTimer = nil
            if let due = state.table.nextDue { setTimer(to: due, in: &state) }
            return tasks
        }
        guard !tasks.isEmpty else { return }
        onWorkQueue { [self] in
            for task in tasks where !task.quietSocket() { state.withLock { $0.table.lookNoMore(at: task) } }
        }
    }
}

#endif
