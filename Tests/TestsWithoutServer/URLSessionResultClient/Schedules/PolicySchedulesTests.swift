#if os(Linux)

import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

/// The policies of a client, by all orders in which caller, server, refresh and clock can act. Nothing sleeps, and all runs on one thread.
///
/// `make sanitize` leaves these tests out: they are many and have no second thread.
struct PolicySchedulesTests {
    private typealias Setup = PolicyWorld.Setup

    private static let caller: [PolicyWorld.Step] = [.start(1), .start(2), .cancel(1)]
    private static let user: [PolicyWorld.Step] = [.signOut, .signIn]

    @Test(
        "A token: two requests, two refreshes, a cancellation, a sign-out and a sign-in in 7,560 orders",
        arguments: [false, true])
    func token(failsFirst: Bool) {
        let setup = Setup(
            hasToken: true,
            actors: [
                Self.caller, [.answer(.usual), .answer(.usual)],
                [.endRefresh(failsFirst ? .fails : .succeeds), .endRefresh(.succeeds)], Self.user,
            ])
        #expect(faults(in: setup) == [])
    }

    @Test(
        "A token that is due, then past the pause after a failure, then over: two requests, two refreshes, in 7,560 orders",
        arguments: [PolicyWorld.RefreshEnd.succeeds, .fails, .isRejected])
    func earlyRefresh(first: PolicyWorld.RefreshEnd) {
        let setup = Setup(
            hasToken: true, hasExpiry: true,
            actors: [
                [.start(1), .start(2)], [.answer(.usual), .answer(.usual)],
                [.endRefresh(first), .endRefresh(.succeeds)],
                [.pass(seconds: 50), .pass(seconds: 9), .pass(seconds: 45)],
            ])
        #expect(faults(in: setup) == [])
    }

    @Test(
        "A retry within a deadline: a 503, a lost connection, then a success or one 503 too many",
        arguments: [HTTPMethod.get, .post], [PolicyWorld.Reply.usual, .status(503)])
    func retry(method: HTTPMethod, last: PolicyWorld.Reply) {
        let setup = Setup(
            method: method, hasRetry: true, hasDeadline: true,
            actors: [
                [.start(1), .cancel(1)], [.answer(.status(503)), .answer(.lost), .answer(last)],
                [.endWait, .endWait], [.endDeadline],
            ])
        #expect(faults(in: setup) == [])
    }

    @Test(
        "A retry whose decision waits, within a deadline, in 1,260 orders",
        arguments: [Retry.Decision.usual, .never, .after(seconds: 1)])
    func decision(_ decision: Retry.Decision) {
        let setup = Setup(
            hasRetry: true, decision: decision, hasDeadline: true,
            actors: [
                [.start(1), .cancel(1)], [.answer(.status(503)), .answer(.usual)], [.endDecision], [.endWait],
                [.endDeadline],
            ])
        #expect(faults(in: setup) == [])
    }

    @Test("All policies at once, and the jobs of their tasks, in 5,000 orders that a seed draws")
    func all() { checkAll(hasExpiry: false) }

    @Test("The same with tokens that expire and decisions that wait, in 5,000 orders")
    func allWithExpiry() { checkAll(hasExpiry: true) }

    private func checkAll(hasExpiry: Bool) {
        let setup = Setup(
            hasToken: true, hasExpiry: hasExpiry, hasRetry: true, decision: hasExpiry ? .usual : nil, hasDeadline: true,
            actors: [
                Self.caller, [.answer(.usual), .answer(.status(503)), .answer(.usual), .answer(.lost)],
                [.endRefresh(.succeeds), .endRefresh(.fails)], Self.user, [.endWait, .endWait], [.endDeadline],
                [.endDecision, .endDecision], [.pass(seconds: 50), .pass(seconds: 9), .pass(seconds: 45)],
            ])
        var generator = SeededGenerator(seed: 68)
        for number in 0..<5000 {
            let faults = PolicyWorld(setup).run(&generator)
            guard faults.isEmpty else {
                Issue.record("In order \(number): \(faults)")
                return
            }
        }
    }

    /// The faults of the first order that has some.
    private func faults(in setup: PolicyWorld.Setup) -> [String] {
        var faults: [String] = []
        Schedule.forEach(of: setup.actors.map(\.count)) { order in
            guard faults.isEmpty else { return }
            faults = PolicyWorld(setup).run(order)
            if !faults.isEmpty { faults.append("in the order \(order)") }
        }
        return faults
    }
}

#endif
