import Foundation

extension Mixture {
    static let argument = "mixture"

    /// Sends requests of every kind, prints how they ended, and returns what went wrong.
    static func run(_ count: Int) async throws -> [String] {
        let start = Date()
        let before = Soak.Sample(requests: 0)
        let seed = Chance.seed()
        print("\nthe mixture is that of SEED=\(seed)")
        // A process that crashes prints nothing more.
        fflush(nil)
        let report = try await Mixture(requests: count, seed: seed).run()
        let after = Soak.Sample(requests: count)
        print(
            """

            requests of every kind \(count), touched \(report.touches) times, in \(Int(-start.timeIntervalSinceNow)) seconds
            how they ended         \(report.calls) calls, \(report.successes) successes
            descriptors            \(before.descriptors) before, \(after.descriptors) after
            resident MB            \(before.residentBytes / 1_000_000) before, \(after.residentBytes / 1_000_000) after
            """)
        return report.calls == count ? [] : ["\(report.calls) calls for \(count) requests of every kind"]
    }
}
