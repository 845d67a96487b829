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
        let seconds = Int(-start.timeIntervalSinceNow)
        let after = await Soak.Sample.atRest(after: before)
        print(
            """

            requests of every kind \(count), touched \(report.touches) times, in \(seconds) seconds
            how they ended         \(report.calls) calls, \(report.successes) successes
            descriptors at rest    \(before.descriptors) before, \(after.descriptors) after
            resident MB            \(before.residentBytes / 1_000_000) before, \(after.residentBytes / 1_000_000) after
            """)
        var violations: [String] = []
        if report.calls != count { violations.append("\(report.calls) calls for \(count) requests of every kind") }
        if !after.isAtRest(after: before) { violations.append("requests of every kind leave descriptors behind") }
        return violations
    }
}
