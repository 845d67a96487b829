// Exit tests capture values from Swift 6.3 on.
#if canImport(FoundationNetworking) && compiler(>=6.3)

import Testing

@testable import TestSupport

/// The short form of `make soak`'s cancellations. Each form runs in a process of its own, because a crash ends it.
@Suite(.serialized, .inTurn)
struct LateCancellationTests {
    @Test("A cancellation near the end of a transfer ends it once", arguments: CancelledForm.all.map(\.name))
    func cancellation(of name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            let form = try #require(CancelledForm.named(name))
            let report = try await LateCancellations(form: form, count: 125).run()
            #expect(report.calls == 125)
            #expect(report.surprises.isEmpty, "\(report.surprises.joined(separator: "\n"))")
        }
    }
}

#endif
