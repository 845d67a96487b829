import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

struct ProgressMeterTests {
    private let reports = RecordedProgress()

    @Test("A count that goes back is not reported, nor a total below what was reported")
    func restart() {
        let reports = RecordedProgress()
        let meter = ProgressMeter(handler: reports.handler)
        for completed in [10, 60, 5, 60] as [Int64] { meter.update(completed, of: 100) }
        meter.update(7, of: 7)
        meter.finish(successfully: true)
        #expect(reports.all.map(\.completedBytes) == [10, 60, 60])
        #expect(reports.all.map(\.totalBytes) == [100, 100, 60])
    }

    @Test("A total that was announced in vain is not reported")
    func announcedInVain() {
        let reports = RecordedProgress()
        let meter = ProgressMeter(handler: reports.handler)
        meter.update(0, of: 4)
        meter.finish(successfully: true)
        #expect(reports.all == [TransferProgress(completedBytes: 0, totalBytes: 0)])
    }

    @Test("Nothing is reported after the end", arguments: [true, false])
    func end(isSuccess: Bool) {
        let reports = RecordedProgress()
        let meter = ProgressMeter(handler: reports.handler)
        meter.update(60, of: 100)
        meter.finish(successfully: isSuccess)
        meter.finish(successfully: true)
        meter.update(200, of: 300)
        #expect(reports.all.map(\.completedBytes) == (isSuccess ? [60, 100] : [60]))
    }

    @Test("Counts between two reports are due for none, and the next one waits for a hundredth of the total")
    func due() {
        let meter = ProgressMeter { _ in }
        let due = (1...303).filter { meter.count($0, of: 10_000) != nil }
        #expect(due == [1, 102, 203])
    }

    @Test("A report that is due is due once, also while it has not been delivered")
    func dueOnce() {
        let meter = ProgressMeter { _ in }
        #expect(meter.count(50, of: 100) != nil)
        #expect(meter.count(50, of: 100) == nil)
    }

    @Test("A report that a later one has overtaken is dropped")
    func overtaken() throws {
        let meter = ProgressMeter(handler: reports.handler)
        let first = try #require(meter.count(10, of: 100))
        let second = try #require(meter.count(20, of: 100))
        second()
        first()
        #expect(reports.all.map(\.completedBytes) == [20])
    }

    @Test("A report that is delivered after the end is dropped")
    func late() throws {
        let meter = ProgressMeter(handler: reports.handler)
        let report = try #require(meter.count(10, of: 100))
        meter.finish(successfully: false)
        report()
        #expect(reports.all.isEmpty)
    }

    @Test("Bytes are counted while a handler runs")
    func countingInHandler() throws {
        let box = Locked<ProgressMeter?>(nil)
        let isDue = Locked(false)
        let meter = ProgressMeter { _ in
            let meter = box.withLock { $0 }
            let isNextDue = meter?.count(60, of: 100) != nil
            isDue.withLock { $0 = isNextDue }
        }
        box.withLock { $0 = meter }
        meter.update(50, of: 100)
        #expect(isDue.withLock { $0 })
        box.withLock { $0 = nil }
    }

    @Test(
        "While the handler runs, nobody else waits for it, and the newest report is kept for it",
        .timeLimit(.minutes(30)))
    func slowHandler() async throws {
        let isCalled = Gate()
        let mayReturn = Gate()
        let recorded = reports.handler
        let meter = ProgressMeter { report in
            recorded(report)
            isCalled.open()
            mayReturn.wait()
        }
        Thread.detachNewThread { meter.update(10, of: 100) }
        try await isCalled.opened()
        let isOver = Gate()
        Thread.detachNewThread {
            for count in [20, 30, 40] as [Int64] { meter.update(count, of: 100) }
            mayReturn.open()
            isOver.open()
        }
        try await isOver.opened()
        try await reports.count(2)
        #expect(reports.all.map(\.completedBytes) == [10, 40])
    }

    @Test(
        "The end of a transfer does not wait for the handler, and what follows comes after the last report",
        .timeLimit(.minutes(30)))
    func endWhileHandlerRuns() async throws {
        let isCalled = Gate()
        let mayReturn = Gate()
        let recorded = reports.handler
        let meter = ProgressMeter { report in
            recorded(report)
            isCalled.open()
            mayReturn.wait()
        }
        Thread.detachNewThread { meter.update(10, of: 100) }
        try await isCalled.opened()
        let countWhenOver = Monitor<Int?>(nil)
        Thread.detachNewThread { [reports] in
            meter.finish(successfully: true) {
                countWhenOver.withLock { $0 = reports.all.count }
            }
            meter.update(50, of: 100)
            mayReturn.open()
        }
        try await countWhenOver.value { $0 != nil }
        #expect(countWhenOver.value == 2)
        #expect(reports.all.map(\.completedBytes) == [10, 100])
    }

    @Test("What a handler keeps may count when it is released", .timeLimit(.minutes(30)))
    func released() async throws {
        let isReleased = Gate()
        let box = Locked<ProgressMeter?>(nil)
        let countAtRelease = { @Sendable in
            box.withLock { $0 }?.update(60, of: 100)
            isReleased.open()
        }
        let meter = ProgressMeter { [kept = Canary(countAtRelease)] _ in _ = kept }
        box.withLock { $0 = meter }
        Thread.detachNewThread { meter.finish(successfully: true) }
        try await isReleased.opened()
        box.withLock { $0 = nil }
    }
}

extension ProgressMeter {
    /// Takes a count of bytes, and delivers the report if one is due.
    fileprivate func update(_ completed: Int64, of expected: Int64) {
        count(completed, of: expected)?()
    }
}
