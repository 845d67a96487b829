import Foundation

/// Crowds of streams, and the requests of another session meanwhile.
enum Streams {
    /// Which part of a run a request of another session may take at most. A busy machine makes both longer. If streams held up others,
    /// it would be the whole.
    private static let longestShare = 0.5

    /// With fewer streams, a run is too short to be shared.
    private static let leastCrowd = 16

    /// Runs all crowds, prints a row each, and returns what went wrong.
    static func runAll() async throws -> [String] {
        print("\nstreams of 4 MB at once   whole   seconds   other requests   slowest of them")
        var violations: [String] = []
        for count in [1, 2, 4, 16, 100] {
            let start = Date()
            let report = try await StreamCrowd(count: count).run()
            let duration = -start.timeIntervalSinceNow
            print(
                column(count, 23) + column(report.wholeStreams, 8) + column(seconds(duration), 10)
                    + column(report.otherRequests, 17) + column(seconds(report.longestWait) + " s", 18))
            violations += report.errors
            if count >= leastCrowd, report.longestWait > duration * longestShare {
                let wait = "\(seconds(report.longestWait)) of \(seconds(duration)) s"
                violations.append("a request waited \(wait) while \(count) streams arrived")
            }
        }
        return violations
    }

    /// Leaves streams in all ways, a hundred at once, and returns what went wrong.
    static func leave(_ count: Int) async throws -> [String] {
        let before = Soak.Sample(requests: 0)
        let start = Date()
        let report = try await LeftStreams(count: count, atOnce: 100).run()
        let after = Soak.Sample(requests: 0)
        print(
            """

            streams read or left   \(count), 100 at once, in \(seconds(-start.timeIntervalSinceNow)) seconds
            how they ended         \(report.endings.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
            cancelled too late     \(report.lateCancellations)
            descriptors at rest    \(before.descriptors) before, \(after.descriptors) after
            """)
        var violations = report.errors
        if report.endings.values.reduce(0, +) != count { violations.append("not every stream ended") }
        if after.descriptors > before.descriptors + 2 { violations.append("streams leave descriptors behind") }
        return violations
    }

    private static func seconds(_ duration: TimeInterval) -> String { String(format: "%.3f", duration) }
}
