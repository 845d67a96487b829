import Foundation
import Testing

@testable import TestSupport

/// The turns that the cases of all suites take.
@Suite(.inTurn)
struct TurnsTests {
    @Test("No more run at once than the limit says, and in the end all have run")
    func limit() async throws {
        let turns = Turns(atOnce: 3)
        let gate = Gate()
        let inside = Monitor((now: 0, most: 0, ever: 0))
        try await withThrowingTaskGroup { group in
            for _ in 1...9 {
                group.addTask {
                    try await turns.run {
                        inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.ever + 1) }
                        try await gate.opened()
                        inside.withLock { $0.now -= 1 }
                    }
                }
            }
            try await turns.state.value { $0.running + $0.waiting.count == 9 }
            #expect(turns.state.value.waiting.count == 6)
            try await inside.value { $0.now >= 3 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(inside.value == (now: 0, most: 3, ever: 9))
        #expect(turns.state.value.running == 0)
    }

    @Test("Those that wait follow in the order in which they came")
    func order() async throws {
        let turns = Turns(atOnce: 1)
        let gate = Gate()
        let begun = Monitor<[Int]>([])
        try await withThrowingTaskGroup { group in
            for index in 1...6 {
                group.addTask {
                    try await turns.run {
                        begun.withLock { $0.append(index) }
                        try await gate.opened()
                    }
                }
                try await turns.state.value { $0.running + $0.waiting.count == index }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(begun.value == Array(1...6))
    }

    @Test("A body that throws ends its turn")
    func throwing() async throws {
        let turns = Turns(atOnce: 1)
        await #expect(throws: URLError.self) { try await turns.run { throw URLError(.unknown) } }
        #expect(turns.state.value.running == 0)
    }

    @Test("A task that is cancelled while it waits leaves the queue, and does not run")
    func cancelledInQueue() async throws {
        let turns = Turns(atOnce: 1)
        try await turns.run {
            let waiting = Task { try await turns.run { Issue.record("It has no turn.") } }
            try await turns.state.value { $0.waiting.count == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(turns.state.value.waiting.isEmpty)
        }
        #expect(turns.state.value.running == 0)
    }

    @Test("A body that takes too long is cancelled, and its turn ends")
    func timeLimit() async throws {
        let turns = Turns(atOnce: 1)
        let isLate = Monitor(false)
        let isCancelled = Monitor(false)
        try await turns.run {
            try await cancelling(after: 0) {
                await #expect(throws: CancellationError.self) { try await Gate().opened() }
                isCancelled.withLock { $0 = true }
            } onTimeout: {
                isLate.withLock { $0 = true }
            }
        }
        #expect(isLate.value)
        #expect(isCancelled.value)
        #expect(turns.state.value.running == 0)
    }

    @Test("A body that ends within its limit is not late, and its error is thrown")
    func withinLimit() async throws {
        await #expect(throws: URLError.self) {
            try await cancelling(after: 1000) {
                throw URLError(.unknown)
            } onTimeout: {
                Issue.record("It is not late.")
            }
        }
    }
}
