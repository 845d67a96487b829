import Foundation
internal import URLSessionResultTransport

/// The calls that are under way, and who waits for each.
final class CallsUnderWay: Sendable {
    typealias Outcome = Result<NetworkResponse<Data>, NetworkError>
    typealias Start = @Sendable (_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>

    private struct Waiter: Sendable {
        let outcome = AwaitedValue<Outcome>()
        let meter: ProgressMeter?
    }

    private struct Call: Sendable {
        let key: CallKey

        /// The user of the call that came first. Calls that join take it over.
        let user: CallUser

        /// The identity of the shared work. Calls that wait for it lend it their places of a `RequestLimit`.
        let work = Surroundings.ID()
        var waiters: [Int: Waiter] = [:]

        /// Nil until `begin` has started the task.
        var task: Task<Void, Never>?
    }

    /// The numbers of a call and of one of those who wait for it.
    private struct Membership {
        let call: Int
        let waiter: Int
        let user: CallUser
        let work: Surroundings.ID

        var isFirst: Bool { call == waiter }
    }

    private struct Calls: Sendable {
        var byID: [Int: Call] = [:]
        private var ids: [CallKey: Int] = [:]

        /// That of the last call or waiter.
        private var lastID = 0

        /// A waiter comes. The first one makes a call.
        mutating func join(_ key: CallKey, _ waiter: Waiter, with user: CallUser) -> Membership {
            lastID += 1
            let id = ids[key] ?? lastID
            let newCall = Call(key: key, user: user)
            byID[id, default: newCall].waiters[lastID] = waiter
            let call = byID[id] ?? newCall
            if id == lastID { ids[key] = id }
            return Membership(call: id, waiter: lastID, user: call.user, work: call.work)
        }

        /// A waiter is cancelled.
        ///
        /// - Returns: The call, if nobody waits for it any more.
        mutating func leave(_ membership: Membership) -> Call? {
            guard byID[membership.call]?.waiters.removeValue(forKey: membership.waiter) != nil,
                byID[membership.call]?.waiters.isEmpty == true
            else { return nil }
            return end(membership.call)
        }

        /// A call is over.
        ///
        /// - Returns: The call, unless everybody has left.
        mutating func end(_ id: Int) -> Call? {
            guard let call = byID.removeValue(forKey: id) else { return nil }
            ids[call.key] = nil
            return call
        }
    }

    private let start: Start
    private let calls = Locked(Calls())

    init(start: @escaping Start) { self.start = start }

    /// How many calls wait for a response.
    var waiterCount: Int { calls.withLock { calls in calls.byID.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Waits for the result of a call, which begins unless it is under way.
    ///
    /// - Parameters:
    ///   - key: What has to be equal for a call to be joined.
    ///   - call: The call that waits.
    ///   - surroundings: What the call is within.
    ///   - send: A function that sends the request.
    /// - Returns: The result.
    func result(
        of key: CallKey, for call: ClientCall, within surroundings: Surroundings,
        _ send: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        // The request is sent by a task of its own, which is not cancelled with this one.
        guard !Task.isCancelled else { return .failure(.transportError(code: .cancelled)) }
        let waiter = Waiter(meter: call.progress.map { ProgressMeter(handler: $0) })
        let membership = calls.withLock { $0.join(key, waiter, with: call.user) }
        if membership.isFirst { begin(membership, within: surroundings, send) }
        let loan = surroundings.lendPlaces(to: membership.work)
        defer {
            loan.end()
            // Even if this call stops waiting: it may try again, and must do so for the same user.
            call.user.adopt(membership.user)
        }
        if let outcome = await waiter.outcome.value() { return outcome }
        calls.withLock { $0.leave(membership) }?.task?.cancel()
        // No report comes after the result.
        if let meter = waiter.meter {
            await withCheckedContinuation { end in meter.finish(successfully: false) { end.resume() } }
        }
        return .failure(.transportError(code: .cancelled))
    }

    private func begin(
        _ membership: Membership, within surroundings: Surroundings,
        _ send: @escaping @Sendable () async -> Outcome
    ) {
        let id = membership.call
        let surroundings = surroundings.withinJoinedCall(membership.work) { report in self.report(report, of: id) }
        let task = start {
            let outcome = await surroundings.run { await send() }
            self.end(id, with: outcome)
        }
        // The first waiter has not left by now, but the call may have ended.
        calls.withLock { $0.byID[id]?.task = task }
    }

    private func end(_ id: Int, with outcome: Outcome) {
        let call = calls.withLock { $0.end(id) }
        let waiters = call?.waiters.sorted { $0.key < $1.key }.map(\.value) ?? []
        for waiter in waiters {
            guard let meter = waiter.meter else {
                waiter.outcome.give(outcome)
                continue
            }
            let isSuccess = if case .success = outcome { true } else { false }
            meter.finish(successfully: isSuccess) { waiter.outcome.give(outcome) }
        }
    }

    private func report(_ report: TransferProgress, of id: Int) {
        let call = calls.withLock { $0.byID[id] }
        guard let call else { return }
        for waiter in call.waiters.values {
            waiter.meter?.count(report.completedBytes, of: report.totalBytes ?? 0)?()
        }
    }
}
