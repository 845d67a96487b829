import Testing

/// The short form of `make soak`, which also watches what the process holds.
@Suite(.inTurn)
struct SoakTests {
    @Test("2,000 requests, 64 at a time, a fifth of them to faulty servers: as many calls, and each as meant")
    func short() async throws {
        let report = try await Soak(requests: 2_000).run()
        #expect(report.calls == 2_000)
        #expect(report.faults == 400)
        #expect(report.cancellations == 400)
        #expect(report.progressReports >= 200)
        #expect(report.surprises.isEmpty, "\(report.surprises.joined(separator: "\n"))")
        #expect(report.timeouts <= 1)
    }

    @Test("1,000 requests of every kind, touched at any moment, in sessions that come and go: each ends once")
    func mixture() async throws {
        let report = try await Mixture(requests: 1_000).run()
        #expect(report.calls == 1_000)
        #expect(report.successes > 0)
        #expect(report.touches > 0)
    }
}
