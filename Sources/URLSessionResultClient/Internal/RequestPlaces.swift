import Foundation
internal import URLSessionResultTransport

/// The places of requests that are under way, and the line of those that wait for one.
final class RequestPlaces: Sendable {
    /// A place that was taken.
    struct Place: Sendable {
        let limit: RequestPlaces
        fileprivate let number: Int

        /// Gives the place to the next in line.
        func giveBack() { limit.giveBack(number) }
    }

    /// How a request may go on.
    enum Admission: Sendable {
        case place(Place)

        /// The request needs no place: it is sent within a request that has one, or within shared work that such a request waits
        /// for.
        case noPlaceNeeded
    }

    private let state: Locked<State>

    init(_ limit: Int) { state = Locked(State(limit: limit)) }

    /// The number of requests that wait for a place.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Waits for a place.
    ///
    /// - Returns: What the request goes on with, or nil if the Swift task is cancelled first.
    func admission(within surroundings: Surroundings) async -> Admission? {
        let (number, wait) = state.withLock { $0.arrive(within: numbers(in: surroundings), surroundings.sharedWork) }
        switch wait {
        case .over(let hasPlace):
            return admission(number, hasPlace)
        case .turn(let turn):
            if let hasPlace = await turn.value() { return admission(number, hasPlace) }
            // The Swift task is cancelled. If the turn has come at the same time, its place is given back.
            if !state.withLock({ $0.leave(number) }) { giveBack(number) }
            return nil
        }
    }

    private func admission(_ number: Int, _ hasPlace: Bool) -> Admission {
        hasPlace ? .place(Place(limit: self, number: number)) : .noPlaceNeeded
    }

    /// Whether a request in these surroundings needs no place. If it waited for one, it would wait for itself.
    func needsNoPlace(_ surroundings: Surroundings) -> Bool {
        state.withLock { $0.needsNoPlace(within: numbers(in: surroundings), surroundings.sharedWork) }
    }

    private func numbers(in surroundings: Surroundings) -> [Int] {
        surroundings.places.filter { $0.limit === self }.map(\.number)
    }

    private func giveBack(_ number: Int) { state.withLock { $0.giveBack(number) }?.give(true) }

    fileprivate func lend(to work: Surroundings.ID) {
        let turns = state.withLock { $0.lend(to: work) }
        for turn in turns { turn.give(false) }
    }

    fileprivate func takeBack(from work: Surroundings.ID) { state.withLock { $0.takeBack(from: work) } }
}

/// The places of a request that waits for shared work, lent to that work. Meanwhile, requests of the work need no place.
struct PlaceLoan {
    private let limits: [RequestPlaces]
    private let work: Surroundings.ID

    init(of limits: [RequestPlaces], to work: Surroundings.ID) {
        self.limits = limits
        self.work = work
        for limit in limits { limit.lend(to: work) }
    }

    /// Ends the loan, because the request no longer waits for the work.
    func end() {
        for limit in limits { limit.takeBack(from: work) }
    }
}

extension RequestPlaces {
    /// Ends a wait. The value is true if the request has got a place, and false if it needs none any more.
    typealias Turn = AwaitedValue<Bool>

    enum Wait { case over(hasPlace: Bool), turn(Turn) }

    private struct Waiter: Sendable {
        let turn: Turn
        let sharedWork: Set<Surroundings.ID>
    }

    /// Who has a place and who waits. Each event takes a time that does not depend on the length of the line.
    struct State: Sendable {
        private let limit: Int

        /// The numbers of those who have a place.
        private var taken: Set<Int> = []

        /// Those who wait, by their numbers.
        private var waiting: [Int: Waiter] = [:]

        /// The numbers of the requests that wait and are part of shared work, by that work.
        private var waitingWork: [Surroundings.ID: Set<Int>] = [:]

        /// How many requests that have a place wait for shared work, by that work.
        private var loans: [Surroundings.ID: Int] = [:]

        /// Nobody with a lower number waits.
        private var first = 1

        /// That of the last who came.
        private var lastNumber = 0

        init(limit: Int) { self.limit = limit }

        var waiterCount: Int { waiting.count }

        func needsNoPlace(within places: [Int], _ sharedWork: Set<Surroundings.ID>) -> Bool {
            places.contains(where: taken.contains) || !loans.isEmpty && sharedWork.contains { loans[$0] != nil }
        }

        mutating func arrive(within places: [Int], _ sharedWork: Set<Surroundings.ID>) -> (number: Int, wait: Wait) {
            lastNumber += 1
            guard !needsNoPlace(within: places, sharedWork) else { return (lastNumber, .over(hasPlace: false)) }
            guard taken.count == limit else {
                taken.insert(lastNumber)
                return (lastNumber, .over(hasPlace: true))
            }
            let turn = Turn()
            waiting[lastNumber] = Waiter(turn: turn, sharedWork: sharedWork)
            for work in sharedWork { waitingWork[work, default: []].insert(lastNumber) }
            return (lastNumber, .turn(turn))
        }

        /// - Returns: Whether it was waiting.
        mutating func leave(_ number: Int) -> Bool { remove(number) != nil }

        /// - Returns: The turn of the next in line, who has the place now. Nil if nobody waits, or if the number has no place.
        mutating func giveBack(_ number: Int) -> Turn? {
            guard taken.remove(number) != nil, !waiting.isEmpty else { return nil }
            while waiting[first] == nil { first += 1 }
            taken.insert(first)
            return remove(first)?.turn
        }

        /// - Returns: The turns of those who need no place any more.
        mutating func lend(to work: Surroundings.ID) -> [Turn] {
            loans[work, default: 0] += 1
            return (waitingWork[work] ?? []).compactMap { remove($0)?.turn }
        }

        mutating func takeBack(from work: Surroundings.ID) {
            let rest = loans[work].map { $0 - 1 } ?? 0
            loans[work] = rest > 0 ? rest : nil
        }

        private mutating func remove(_ number: Int) -> Waiter? {
            guard let waiter = waiting.removeValue(forKey: number) else { return nil }
            for work in waiter.sharedWork {
                waitingWork[work]?.remove(number)
                if waitingWork[work]?.isEmpty == true { waitingWork[work] = nil }
            }
            return waiter
        }
    }
}
