import Foundation
internal import URLSessionResultTransport

/// The places of requests that are under way, and the line of those that wait for one.
final class RequestPlaces: Sendable {
    private let state: Locked<State>

    init(_ limit: Int, perHost hostLimit: Int?) {
        state = Locked(State(limit: limit, hostLimit: hostLimit))
    }

    /// The number of requests that wait for a place.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Waits for a place.
    ///
    /// - Returns: Whether there is one: not if the Swift task is cancelled first.
    func take(for host: String) async -> Bool {
        guard let wait = state.withLock({ $0.arrive(for: host) }) else { return true }
        for await _ in wait.turns { return true }
        // The turn may have come at the same time.
        if !state.withLock({ $0.leave(wait.number, for: host) }) { giveBack(of: host) }
        return false
    }

    /// Gives a place to the next in line.
    func giveBack(of host: String) {
        state.withLock { $0.giveBack(of: host) }?.yield()
    }
}

extension RequestPlaces {
    private typealias Turn = AsyncStream<Void>.Continuation

    /// The requests to a host, or to all hosts if none has a limit of its own.
    private struct Line: Sendable {
        var taken = 0

        /// Those who wait, by their numbers. Who has left has no turn.
        private var waiting: ArraySlice<(number: Int, turn: Turn?)> = []

        var isUnused: Bool { taken == 0 && waiting.isEmpty }
        var first: Int? { waiting.first?.number }
        var waiterCount: Int { waiting.count { $0.turn != nil } }

        mutating func append(_ number: Int, _ turn: Turn) { waiting.append((number, turn)) }

        mutating func takeFirst() -> Turn? {
            guard !waiting.isEmpty else { return nil }
            defer { dropThoseWhoLeft() }
            return waiting[waiting.startIndex].turn.take()
        }

        /// - Returns: Whether it was waiting.
        mutating func leave(_ number: Int) -> Bool {
            guard let index = index(of: number), waiting[index].turn != nil else { return false }
            waiting[index].turn = nil
            dropThoseWhoLeft()
            return true
        }

        private mutating func dropThoseWhoLeft() {
            while let first = waiting.first, first.turn == nil { waiting.removeFirst() }
        }

        /// The numbers grow.
        private func index(of number: Int) -> Int? {
            var range = waiting.indices
            while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
                if waiting[middle].number == number { return middle }
                range = waiting[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return nil
        }
    }

    private struct State: Sendable {
        let limit: Int
        let hostLimit: Int?
        private var taken = 0
        private var lines: [String: Line] = [:]

        /// That of the last who came to wait.
        private var lastNumber = 0

        init(limit: Int, hostLimit: Int?) {
            self.limit = limit
            self.hostLimit = hostLimit
        }

        var waiterCount: Int { lines.values.reduce(0) { $0 + $1.waiterCount } }

        /// - Returns: What to wait for, or nil if a place is taken.
        mutating func arrive(for host: String) -> (number: Int, turns: AsyncStream<Void>)? {
            // Who waits could not go: no place that somebody could take is left free.
            guard taken == limit || isFull(host) else {
                take(for: host)
                return nil
            }
            lastNumber += 1
            let (turns, turn) = AsyncStream<Void>.makeStream()
            lines[host, default: Line()].append(lastNumber, turn)
            return (lastNumber, turns)
        }

        /// - Returns: Whether it was waiting.
        mutating func leave(_ number: Int, for host: String) -> Bool {
            defer { forget(host) }
            return lines[host]?.leave(number) ?? false
        }

        /// - Returns: The turn of the next in line, who has the place now.
        mutating func giveBack(of host: String) -> Turn? {
            taken -= 1
            lines[host]?.taken -= 1
            defer { forget(host) }
            let ready = lines.filter { host, line in line.first != nil && !isFull(host) }
            guard let next = ready.min(by: { ($0.value.first ?? 0) < ($1.value.first ?? 0) })?.key else { return nil }
            take(for: next)
            return lines[next]?.takeFirst()
        }

        private mutating func take(for host: String) {
            taken += 1
            lines[host, default: Line()].taken += 1
        }

        private func isFull(_ host: String) -> Bool {
            guard let hostLimit, let line = lines[host] else { return false }
            return line.taken >= hostLimit
        }

        private mutating func forget(_ host: String) {
            if lines[host]?.isUnused == true { lines[host] = nil }
        }
    }
}
