import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

struct AlarmClockTests {
    @Test("Waits end whatever the order in which they begin, among others that are cancelled", arguments: 0..<4)
    func anyOrder(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let milliseconds = (0..<500).map { $0 % 10 == 0 ? 3_600_000 : $0 % 7 }.shuffled(using: &generator)
        let waits = milliseconds.map { milliseconds in
            (milliseconds, Task { try await Task.sleep(seconds: TimeInterval(milliseconds) / 1_000) })
        }
        for (milliseconds, wait) in waits where milliseconds < 1_000 { try await wait.value }
        for (milliseconds, wait) in waits where milliseconds > 1_000 {
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
        }
    }

    @Test("A wait whose task is cancelled before does not begin")
    func cancelledBefore() async {
        let wait = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Task.sleep(seconds: 3_600)
        }
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    #if os(Linux)
    // In a process of its own: other tests need memory, too.
    @Test("A wait that is cancelled leaves nothing")
    func memory() async {
        await #expect(processExitsWith: .success) {
            func cancelWaits(_ count: Int) async {
                for _ in 0..<count {
                    let wait = Task { try await Task.sleep(seconds: 3_600) }
                    // It has begun by then, most often.
                    for _ in 0..<3 { await Task.yield() }
                    wait.cancel()
                    _ = await wait.result
                }
            }
            await cancelWaits(1_000)
            var growths: [Int] = []
            for _ in 0..<8 {
                let start = try Self.residentBytes()
                await cancelWaits(5_000)
                growths.append(try Self.residentBytes() - start)
            }
            // It was 0.7 KB for each, for an hour.
            #expect(try #require(growths.min()) < 1 << 20)
        }
    }

    private static func residentBytes() throws -> Int {
        let memory = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(memory.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
    #endif
}
