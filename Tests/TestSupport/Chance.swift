import Foundation

/// What a test leaves to chance: the same choices for the same seed, if not the same timing.
final class Chance: Sendable {
    private let generator: Monitor<SeededGenerator>

    init(seed: UInt64) {
        generator = Monitor(SeededGenerator(seed: seed))
    }

    /// The seed in the environment variable `SEED`, or a new one.
    static func seed() -> UInt64 {
        ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64(UInt32.max))
    }

    /// Chance for something that runs beside this. What either of them draws does not depend on the other.
    func split() -> Chance {
        Chance(seed: generator.withLock { $0.next() })
    }

    /// A number from 0 on.
    func number(below bound: Int) -> Int {
        generator.withLock { .random(in: 0..<bound, using: &$0) }
    }

    func seconds(_ range: Range<TimeInterval>) -> TimeInterval {
        generator.withLock { .random(in: range, using: &$0) }
    }

    func isOne(in count: Int) -> Bool { number(below: count) == 0 }

    func element<T>(of elements: [T]) -> T { elements[number(below: elements.count)] }

    func shuffled<T>(_ elements: [T]) -> [T] {
        generator.withLock { elements.shuffled(using: &$0) }
    }
}
