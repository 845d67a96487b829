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
    /// Registers a benchmark that lets contenders take turns, and measures the nanoseconds that each of them takes.
    ///
    /// What else goes on in the machine thus hits all of them alike, which it would not if one ran after the other.
    ///
    /// - Parameters:
    ///   - name: The name of the benchmark.
    ///   - contenders: The contenders.
    ///   - seconds: How long to measure.
    ///   - repetitions: How often a contender runs at each of its turns.
    ///   - makeFixture: Prepares what the contenders need, before anything is measured.
    public static func compare<Fixture: Sendable>(
        _ name: String, _ contenders: [Contender<Fixture>], seconds: Int64, repetitions: Int = 1,
        fixture makeFixture: @escaping @Sendable () async throws -> Fixture
    ) {
        let configuration = Benchmark.Configuration(
            metrics: [.throughput] + contenders.map { .nanoseconds(of: $0.name) }, warmupIterations: contenders.count,
            maxDuration: .seconds(seconds), maxIterations: 3_000)
        let turns = Turns(count: contenders.count)
        Benchmark(name, configuration: configuration) { benchmark, fixture in
            for turn in turns.next() {
                let start = ContinuousClock.now
                for _ in 0..<repetitions {
                    try await contenders[turn].run(fixture)
                }
                let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1) / Double(repetitions)
                benchmark.measurement(.nanoseconds(of: contenders[turn].name), Int(nanoseconds))
            }
        } setup: {
            try await makeFixture()
        }
    }
}

extension BenchmarkMetric {
    fileprivate static func nanoseconds(of contender: String) -> BenchmarkMetric {
        .custom(contender, useScalingFactor: false)
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
