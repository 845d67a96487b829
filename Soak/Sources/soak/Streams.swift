import Foundation

/// Crowds of streams, and the requests of another session meanwhile: no transfer holds up another.
enum Streams {
    static let argument = "streams"

    /// How much longer than with `URLSession` alone a request of another session may wait. It waits for the starts of the streams: each
    /// waits for FoundationNetworking's work queue, and they share the few threads of Swift tasks.
    private static let mostRatio = 2.0

    /// With fewer streams, a run is too short to be compared.
    private static let leastCrowd = 16

    /// A busy machine makes one of them longer. So there are several, and the two clients take turns.
    private static let rounds = 5

    /// Runs all crowds, prints a row each, and returns what went wrong.
    static func runAll() async throws -> [String] {
        print(
            "\nstreams of 4 MB, \(rounds) times   whole   seconds   other requests   longest waits   URLSession's   ratio"
        )
        var violations: [String] = []
        for count in [1, 2, 4, 16, 100] {
            var library = Total()
            var urlSession = Total()
            for _ in 0..<rounds {
                try await urlSession.add(StreamCrowd(count: count, client: .urlSession))
                try await library.add(StreamCrowd(count: count))
            }
            let ratio = library.longestWaits / urlSession.longestWaits
            print(
                column(count, 24) + column(library.wholeStreams, 8) + column(seconds(library.duration), 10)
                    + column(library.otherRequests, 17) + column(seconds(library.longestWaits) + " s", 16)
                    + column(seconds(urlSession.longestWaits) + " s", 15) + column(String(format: "%.2f", ratio), 8))
            violations += library.errors
            if count >= leastCrowd, ratio > mostRatio {
                let waits =
                    "\(seconds(library.longestWaits)) s, with URLSession alone \(seconds(urlSession.longestWaits)) s"
                violations.append("requests waited \(waits) while \(count) streams arrived")
            }
        }
        return violations
    }

    /// The sums of all rounds.
    private struct Total {
        var wholeStreams = 0, otherRequests = 0
        var longestWaits: TimeInterval = 0, duration: TimeInterval = 0
        var errors: [String] = []

        mutating func add(_ crowd: StreamCrowd) async throws {
            let start = Date()
            let report = try await crowd.run()
            duration += -start.timeIntervalSinceNow
            wholeStreams += report.wholeStreams
            otherRequests += report.otherRequests
            longestWaits += report.longestWait
            errors += report.errors
        }
    }

    /// Leaves streams in all ways, a hundred at once, and returns what went wrong.
    static func leave(_ count: Int) async throws -> [String] {
        let before = Soak.Sample(requests: 0)
        let start = Date()
        let report = try await LeftStreams(count: count, atOnce: 100).run()
        let after = await Soak.Sample.atRest(after: before)
        print(
            """

            streams read or left   \(count), 100 at once, in \(seconds(-start.timeIntervalSinceNow)) seconds
            how they ended         \(report.endings.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
            cancelled too late     \(report.lateCancellations)
            descriptors at rest    \(before.descriptors) before, \(after.descriptors) after
            """)
        var violations = report.errors
        if report.endings.values.reduce(0, +) != count { violations.append("not every stream ended") }
        if !after.isAtRest(after: before) { violations.append("streams leave descriptors behind") }
        return violations
    }

    private static func seconds(_ duration: TimeInterval) -> String { String(format: "%.3f", duration) }
}
