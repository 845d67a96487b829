import Foundation
internal import URLSessionResultTransport

/// The calls that are under way, and who waits for each.
final class CallsUnderWay: Sendable {
    typealias Outcome = Result<NetworkResponse<Data>, NetworkError>
    typealias Start = @Sendable (_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>

    private struct Waiter: Sendable {
        let outcome: AsyncStream<Outcome>.Continuation
        let meter: ProgressMeter?
    }

    private struct Call: Sendable {
        let id: Int
        var waiters: [Int: Waiter]

        /// Nil for an instant.
        var task: Task<Void, Never>?
    }

    private struct Calls: Sendable {
        var byKey: [CallKey: Call] = [:]

        /// That of the last call or waiter.
        var lastID = 0
    }

    private let start: Start
    private let calls = Locked(Calls())

    init(start: @escaping Start) { self.start = start }

    /// How many calls wait for a response.
    var waiterCount: Int { calls.withLock { calls in calls.byKey.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Waits for the result of a call, which begins unless it is under way.
    func result(of key: CallKey, _ send: @escaping @Sendable () async -> Outcome) async -> Outcome {
        // Unlike the value of a task, a stream ends when the task that waits is cancelled.
        let (outcomes, outcome) = AsyncStream<Outcome>.makeStream()
        let meter = ClientCall.current?.progress.map { ProgressMeter(handler: $0) }
        let place = join(key, Waiter(outcome: outcome, meter: meter))
        if place.isFirst { begin(place.id, key, send) }
        for await outcome in outcomes { return outcome }
        leave(place.id, key)?.cancel()
        // No report comes after the result.
        if let meter { await withCheckedContinuation { end in meter.finish(successfully: false) { end.resume() } } }
        return .failure(.transportError(code: .cancelled))
    }

    private func join(_ key: CallKey, _ waiter: Waiter) -> (id: Int, isFirst: Bool) {
        calls.withLock { calls in
            calls.lastID += 1
            let id = calls.lastID
            let isFirst = calls.byKey[key] == nil
            calls.byKey[key, default: Call(id: id, waiters: [:])].waiters[id] = waiter
            return (id, isFirst)
        }
    }

    /// A waiter is cancelled.
    ///
    /// - Returns: The task of the call if nobody waits for it any more.
    private func leave(_ waiter: Int, _ key: CallKey) -> Task<Void, Never>? {
        calls.withLock { calls in
            guard calls.byKey[key]?.waiters.removeValue(forKey: waiter) != nil,
                calls.byKey[key]?.waiters.isEmpty == true
            else { return nil }
            return calls.byKey.removeValue(forKey: key)?.task
        }
    }

    private func begin(_ id: Int, _ key: CallKey, _ send: @escaping @Sendable () async -> Outcome) {
        var call = ClientCall.current
        // Somebody may join who wants reports.
        call?.progress = { report in self.report(report, of: id, key) }
        let task = start { [call] in
            let outcome = await ClientCall.$current.withValue(call) { await send() }
            self.end(id, key, with: outcome)
        }
        // The first waiter has not left by now, but the call may have ended.
        calls.withLock { calls in
            if calls.byKey[key]?.id == id { calls.byKey[key]?.task = task }
        }
    }

    private func end(_ id: Int, _ key: CallKey, with outcome: Outcome) {
        let call = calls.withLock { calls in
            calls.byKey[key]?.id == id ? calls.byKey.removeValue(forKey: key) : nil
        }
        let waiters = call?.waiters.sorted { $0.key < $1.key }.map(\.value) ?? []
        for waiter in waiters {
            guard let meter = waiter.meter else {
                waiter.outcome.yield(outcome)
                continue
            }
            let isSuccess = if case .success = outcome { true } else { false }
            meter.finish(successfully: isSuccess) { waiter.outcome.yield(outcome) }
        }
    }

    private func report(_ report: TransferProgress, of id: Int, _ key: CallKey) {
        let call = calls.withLock { calls in calls.byKey[key] }
        guard let call, call.id == id else { return }
        for waiter in call.waiters.values {
            waiter.meter?.count(report.completedBytes, of: report.totalBytes ?? 0)?()
        }
    }
}
