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
        let key: CallKey
        var waiters: [Int: Waiter] = [:]

        /// Nil for an instant.
        var task: Task<Void, Never>?
    }

    /// The numbers of a call and of one of those who wait for it.
    private struct Place {
        let call: Int
        let waiter: Int

        var isFirst: Bool { call == waiter }
    }

    private struct Calls: Sendable {
        var byID: [Int: Call] = [:]
        private var ids: [CallKey: Int] = [:]

        /// That of the last call or waiter.
        private var lastID = 0

        /// A waiter comes. The first one makes a call.
        mutating func join(_ key: CallKey, _ waiter: Waiter) -> Place {
            lastID += 1
            let place = Place(call: ids[key] ?? lastID, waiter: lastID)
            if place.isFirst { ids[key] = place.call }
            byID[place.call, default: Call(key: key)].waiters[place.waiter] = waiter
            return place
        }

        /// A waiter is cancelled.
        ///
        /// - Returns: The call, if nobody waits for it any more.
        mutating func leave(_ place: Place) -> Call? {
            guard byID[place.call]?.waiters.removeValue(forKey: place.waiter) != nil,
                byID[place.call]?.waiters.isEmpty == true
            else { return nil }
            return end(place.call)
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
    func result(of key: CallKey, _ send: @escaping @Sendable () async -> Outcome) async -> Outcome {
        // Unlike the value of a task, a stream ends when the task that waits is cancelled.
        let (outcomes, outcome) = AsyncStream<Outcome>.makeStream()
        let meter = ClientCall.current?.progress.map { ProgressMeter(handler: $0) }
        let place = calls.withLock { $0.join(key, Waiter(outcome: outcome, meter: meter)) }
        if place.isFirst { begin(place.call, send) }
        for await outcome in outcomes { return outcome }
        calls.withLock { $0.leave(place) }?.task?.cancel()
        // No report comes after the result.
        if let meter { await withCheckedContinuation { end in meter.finish(successfully: false) { end.resume() } } }
        return .failure(.transportError(code: .cancelled))
    }

    private func begin(_ id: Int, _ send: @escaping @Sendable () async -> Outcome) {
        var call = ClientCall.current
        // Somebody may join who wants reports.
        call?.progress = { report in self.report(report, of: id) }
        let task = start { [call] in
            let outcome = await ClientCall.$current.withValue(call) { await send() }
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
                waiter.outcome.yield(outcome)
                continue
            }
            let isSuccess = if case .success = outcome { true } else { false }
            meter.finish(successfully: isSuccess) { waiter.outcome.yield(outcome) }
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
