import Foundation
import Testing

@testable import URLSessionResultClient

/// The decisions of a limit, without requests.
struct RequestPlacesTests {
    private typealias State = RequestPlaces.State

    /// A limit of 1 whose place is taken by number 1, and a line of others.
    private func state(waiting count: Int) -> State {
        var state = State(limit: 1)
        for _ in 0...count { _ = state.arrive(within: [], []) }
        return state
    }

    @Test("A line that is ten times as long takes about ten times as long", arguments: [false, true])
    func cost(isCancelled: Bool) {
        func seconds(for count: Int) -> TimeInterval {
            var state = state(waiting: count)
            let start = processorTime()
            for number in 1...count {
                let isNext = isCancelled ? state.leave(count + 2 - number) : state.giveBack(number) != nil
                if !isNext { Issue.record("\(number) is not in line.") }
            }
            return processorTime() - start
        }
        // It was quadratic in debug builds: a hundred times as long.
        #expect(seconds(for: 20_000) < 30 * seconds(for: 2_000) + 0.05)
    }

    @Test("Who leaves has no turn")
    func leaving() {
        var state = state(waiting: 3)
        let hasLeft = state.leave(2)
        #expect(hasLeft && state.waiterCount == 2)
        let turn = state.giveBack(1)
        #expect(turn != nil && state.waiterCount == 1)
        // It has a place now, and gives it back.
        let isWaiting = state.leave(3)
        #expect(!isWaiting)
        let next = state.giveBack(3)
        #expect(next != nil && state.waiterCount == 0)
        let none = state.giveBack(4)
        #expect(none == nil)
    }

    @Test("A place that is given back twice is the next one's once")
    func twice() {
        var state = state(waiting: 2)
        let first = state.giveBack(1)
        let second = state.giveBack(1)
        #expect(first != nil && second == nil && state.waiterCount == 1)
    }

    @Test("Who is within a place needs none until it is given back")
    func within() {
        var state = state(waiting: 0)
        #expect(state.needsNoPlace(within: [1], []))
        #expect(!state.needsNoPlace(within: [2], []))
        _ = state.giveBack(1)
        #expect(!state.needsNoPlace(within: [1], []))
    }

    @Test("Shared work needs no place while one who has a place waits for it")
    func loans() {
        let (work, other) = (Surroundings.ID(), Surroundings.ID())
        var state = state(waiting: 0)
        _ = state.arrive(within: [], [work])
        _ = state.arrive(within: [], [other])
        let turns = state.lend(to: work)
        #expect(turns.count == 1 && state.waiterCount == 1)
        let later = state.lend(to: work)
        #expect(later.isEmpty && state.needsNoPlace(within: [], [work, other]))
        state.takeBack(from: work)
        #expect(state.needsNoPlace(within: [], [work]))
        state.takeBack(from: work)
        #expect(!state.needsNoPlace(within: [], [work]))
        // The place is that of number 1 all the time, and then of the one who waits.
        let next = state.giveBack(1)
        #expect(next != nil && state.waiterCount == 0)
    }

    /// In seconds, of this thread. Other threads of a busy machine do not count.
    private func processorTime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }
}
