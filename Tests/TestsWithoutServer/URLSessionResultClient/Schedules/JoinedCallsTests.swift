#if os(Linux)

import Testing

@testable import TestSupport

/// Calls that are joined and limited, by orders in which callers and server can act. Nothing sleeps, and all runs on one thread.
struct JoinedCallsTests {
    private typealias Step = JoinedCallsWorld.Step

    @Test("Three calls, two of them equal, each cancelled or not, in all orders", arguments: [1, 2])
    func few(limit: Int) {
        let actors: [[Step]] = [
            [.start(1, "a"), .cancel(1)], [.start(2, "a"), .cancel(2)], [.start(3, "b")], [.answer, .answer],
        ]
        #expect(faults(of: actors, in: JoinedCallsWorld.Setup(limit: limit)) == [])
    }

    @Test("Two equal calls with a token that is refused, and two users, in all orders", arguments: [1, 2])
    func users(limit: Int) {
        let actors: [[Step]] = [
            [.start(1, "a"), .cancel(1)], [.start(2, "a")], [.answer, .answer], [.endRefresh], [.changeUser],
        ]
        #expect(faults(of: actors, in: JoinedCallsWorld.Setup(limit: limit, hasToken: true)) == [])
    }

    @Test("Two equal calls with a retry and a deadline each, in all orders", arguments: [false, true])
    func attempts(isRetryInside: Bool) {
        let actors: [[Step]] = [
            [.start(1, "a"), .cancel(1)], [.start(2, "a")], [.refuse, .answer], [.endWait], [.endDeadline],
        ]
        let setup = JoinedCallsWorld.Setup(
            limit: 1, hasRetry: !isRetryInside, hasRetryInside: isRetryInside, hasDeadline: true)
        #expect(faults(of: actors, in: setup) == [])
    }

    @Test("Calls that wait for a place are sent in the order in which they came")
    func order() {
        let world = JoinedCallsWorld(JoinedCallsWorld.Setup(limit: 1))
        let starts = ["a", "b", "c", "d"].enumerated().map { Step.start($0, $1) }
        #expect(world.run(starts + [.cancel(1)]) == [])
        #expect(world.arrivals == ["a", "c", "d"])
    }

    @Test("Twelve calls to four addresses, and the jobs of their tasks, in 3,000 orders that a seed draws")
    func many() {
        var generator = SeededGenerator(seed: 79)
        for number in 0..<3000 {
            let setup = JoinedCallsWorld.Setup(
                limit: Int.random(in: 1...4, using: &generator))
            guard isFaultless(setup, number, &generator) else { return }
        }
    }

    @Test("The same with tokens, users, retries around and inside, and deadlines, in 5,000 orders")
    func manyWithPolicies() {
        var generator = SeededGenerator(seed: 80)
        for number in 0..<5000 {
            let setup = JoinedCallsWorld.Setup(
                limit: Int.random(in: 1...4, using: &generator),
                hasToken: number % 2 == 0, hasRetry: Bool.random(using: &generator),
                hasRetryInside: Bool.random(using: &generator), hasDeadline: Bool.random(using: &generator))
            guard isFaultless(setup, number, &generator) else { return }
        }
    }

    private func isFaultless(
        _ setup: JoinedCallsWorld.Setup, _ number: Int, _ generator: inout SeededGenerator
    ) -> Bool {
        let faults = JoinedCallsWorld(setup).run(calls: 12, &generator)
        if !faults.isEmpty { Issue.record("In order \(number), \(setup): \(faults)") }
        return faults.isEmpty
    }

    /// The faults of the first order that has some.
    private func faults(of actors: [[Step]], in setup: JoinedCallsWorld.Setup) -> [String] {
        var faults: [String] = []
        Schedule.forEach(of: actors.map(\.count)) { order in
            guard faults.isEmpty else { return }
            var rest = actors.map { $0[...] }
            faults = JoinedCallsWorld(setup).run(order.map { rest[$0].removeFirst() })
            if !faults.isEmpty { faults.append("in the order \(order)") }
        }
        return faults
    }
}

#endif
