import Foundation
import Testing

@testable import URLSessionResult

@Suite(.inTurn)
struct ProgressMeterTests {
    private let reports = RecordedProgress()

    @Test("Counts between two reports are due for none, and the next one waits for a hundredth of the total")
    func due() {
        let meter = ProgressMeter { _ in }
        let due = (1...303).filter { meter.dueReport($0, of: 10_000) != nil }
        #expect(due == [1, 102, 203])
    }

    @Test("A report that is due is due once, also while it has not been delivered")
    func dueOnce() {
        let meter = ProgressMeter { _ in }
        #expect(meter.dueReport(50, of: 100)?.completedBytes == 50)
        #expect(meter.dueReport(50, of: 100) == nil)
    }

    @Test("A report that a later one has overtaken is dropped")
    func overtaken() throws {
        let meter = ProgressMeter(handler: reports.handler)
        let first = try #require(meter.dueReport(10, of: 100))
        let second = try #require(meter.dueReport(20, of: 100))
        meter.deliver(second)
        meter.deliver(first)
        #expect(reports.all.map(\.completedBytes) == [20])
    }

    @Test("A report that is delivered after the end is dropped")
    func late() throws {
        let meter = ProgressMeter(handler: reports.handler)
        let report = try #require(meter.dueReport(10, of: 100))
        meter.finish(successfully: false)
        meter.deliver(report)
        #expect(reports.all.isEmpty)
    }

    @Test("Bytes are counted while a handler runs")
    func countingInHandler() throws {
        let box = Locked<ProgressMeter?>(nil)
        let due = Locked<[Int64]>([])
        let meter = ProgressMeter { _ in
            let meter = box.withLock { $0 }
            let next = meter?.dueReport(60, of: 100)?.completedBytes
            due.withLock { $0.append(next ?? 0) }
        }
        box.withLock { $0 = meter }
        meter.update(50, of: 100)
        #expect(due.withLock { $0 } == [60])
        box.withLock { $0 = nil }
    }
}
