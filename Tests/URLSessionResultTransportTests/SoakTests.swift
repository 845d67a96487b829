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
}
