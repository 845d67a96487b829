import Testing

@testable import TestSupport

/// The short form of `make soak`, which also watches what the process holds.
@Suite(.inTurn)
struct SoakTests {
    @Test(
        "2,000 requests, half of them on new connections, a fifth to faulty servers: as many calls, and each as meant")
    func short() async throws {
        let report = try await Soak(requests: 2_000).run()
        #expect(report.calls == 2_000)
        #expect(report.faults == 400)
        #expect(report.arrived.onNewConnections * 2 >= report.arrived.all)
        #expect(report.cancellations == 400)
        #expect(report.progressReports >= 200)
        #expect(report.surprises.isEmpty, "\(report.surprises.joined(separator: "\n"))")
        #expect(report.timeouts <= 1)
    }

    @Test("1,000 requests of every kind, touched at any moment, in sessions that come and go: each ends once")
    func mixture() async throws {
        let seed = Chance.seed()
        print("The mixture is that of SEED=\(seed).")
        let report = try await Mixture(requests: 1_000, seed: seed).run()
        #expect(report.calls == 1_000, "SEED=\(seed)")
        #expect(report.successes > 0)
        #expect(report.touches > 0)
    }

    @Test("Chance draws the same for the same seed, whatever a part of it draws")
    func chance() {
        let numbers = (0..<2).map { round in
            let chance = Chance(seed: 5)
            let part = chance.split()
            if round == 1 { _ = part.number(below: 10) }
            return (0..<20).map { _ in chance.number(below: 1000) }
        }
        #expect(numbers[0] == numbers[1])
        #expect(Chance(seed: 6).number(below: .max) != Chance(seed: 7).number(below: .max))
    }
}
