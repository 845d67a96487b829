import Benchmark
import Synchronization

/// One of several ways to do the same thing with what a benchmark has prepared.
public struct Contender<Fixture: Sendable>: Sendable {
    /// How it is called in the report.
    public let name: String

    /// What is measured.
    public let run: @Sendable (Fixture) async throws -> Void

    /// Makes a contender.
    public init(_ name: String, run: @escaping @Sendable (Fixture) async throws -> Void) {
        self.name = name
        self.run = run
    }
}

extension Benchmark {
    /// Registers a benchmark that lets contenders take turns, and measures each of them.
    ///
    /// What else goes on in the machine thus hits all of them alike, which it would not if one ran after the other.
    ///
    /// - Parameters:
    ///   - name: The name of the benchmark.
    ///   - contenders: The contenders.
    ///   - quantity: What to measure.
    ///   - seconds: How long to measure.
    ///   - repetitions: How often a contender runs at each of its turns.
    ///   - rounds: How many rounds there are at most. With a single one, nothing runs before it to warm up.
    ///   - makeFixture: Prepares what the contenders need, before anything is measured.
    public static func compare<Fixture: Sendable>(
        _ name: String, _ contenders: [Contender<Fixture>], by quantity: Quantity = .nanoseconds, seconds: Int64,
        repetitions: Int = 1, rounds: Int = 3_000, fixture makeFixture: @escaping @Sendable () async throws -> Fixture
    ) {
        let configuration = Benchmark.Configuration(
            metrics: [.throughput] + contenders.map { .custom($0.name, useScalingFactor: false) },
            warmupIterations: rounds == 1 ? 0 : contenders.count, maxDuration: .seconds(seconds), maxIterations: rounds)
        let turns = Turns(count: contenders.count)
        Benchmark(name, configuration: configuration) { benchmark, fixture in
            for turn in turns.next() {
                let contender = contenders[turn]
                let value = try await quantity.measure {
                    for _ in 0..<repetitions {
                        try await contender.run(fixture)
                    }
                }
                benchmark.measurement(.custom(contender.name, useScalingFactor: false), value / repetitions)
            }
            // The export wants a throughput, and there is none below one a second.
            benchmark.startMeasurement()
            benchmark.stopMeasurement()
        } setup: {
            try await makeFixture()
        }
    }
}

/// Who runs when: each round begins with another contender.
private final class Turns: Sendable {
    private let order: Mutex<[Int]>

    init(count: Int) {
        order = Mutex(Array(0..<count))
    }

    func next() -> [Int] {
        order.withLock { order in
            order.append(order.removeFirst())
            return order
        }
    }
}
